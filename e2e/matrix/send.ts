import { request as httpRequest } from 'node:http';

/** Raw response without following redirects. A stream is aborted after its headers. */
export type HttpResponse = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

export type Sent = { method: string; path: string; headers?: Record<string, string>; body?: string };

/** Sends one request with exactly these headers and Host, over a new connection, because the server may close a kept-alive one. */
export function send(address: string, { method, path, headers = {}, body }: Sent): Promise<HttpResponse> {
  const { hostname, port, host } = new URL(address);
  const length: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const options = { hostname, port, method, path, headers: { host, ...length, ...headers }, agent: false };
    const request = httpRequest(options, (response) => {
      const head = { status: response.statusCode ?? 0, headers: response.headers };
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        resolve({ ...head, text: '' });
        response.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ ...head, text: Buffer.concat(chunks).toString('utf8') }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** Runs `work` for each item, `atOnce` at a time, and returns the results in order. */
export async function forEachAtOnce<Item, Value>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Value>,
): Promise<Value[]> {
  const results: Value[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [at, item] of waiting) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
