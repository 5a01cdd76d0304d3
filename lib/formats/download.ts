/** Type and name of a download, and its content in chunks. */
export type Download = { type: string; name: string; chunks: AsyncGenerator<Uint8Array> };

/** Approximate number of characters per chunk. */
const CHUNK_LENGTH = 64_000;

/** Combines texts into UTF-8 chunks of suitable size. */
export async function* textChunks(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK_LENGTH) continue;
    yield encoder.encode(waiting);
    waiting = '';
  }
  if (waiting !== '') yield encoder.encode(waiting);
}

/** Converts a user-defined name to a file name: lower-case letters, digits and hyphens, at most 60 characters. */
export function fileName(name: string, rest: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
  return `${slug === '' ? 'hone' : slug}-${rest}`;
}
/** Creates a download response that is streamed as the client reads. A HEAD request gets only the headers. */
export function downloadResponse(request: Request, { type, name, chunks }: Download): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return new Response(request.method === 'HEAD' ? null : streamOf(chunks), { headers });
}

/** If the consumer stops early, the rest is never read. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
