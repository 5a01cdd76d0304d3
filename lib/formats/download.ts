/** What a file is downloaded as, and its content piece by piece. */
export type Download = { type: string; name: string; chunks: AsyncGenerator<Uint8Array> };

/** About so many characters go out together. */
const CHUNK_LENGTH = 64_000;

/** Texts one after another as UTF-8, in pieces of a size that travels well. */
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

/** A file name out of a name that people gave: small letters, digits and hyphens, at most 60 characters. */
export function fileName(name: string, rest: string): string {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
  return `${slug === '' ? 'hone' : slug}-${rest}`;
}
/** A file that a browser saves, read only as fast as it is taken; a HEAD request gets its headers alone. */
export function downloadResponse(request: Request, { type, name, chunks }: Download): Response {
  const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
  return new Response(request.method === 'HEAD' ? null : streamOf(chunks), { headers });
}

/** Left in the middle, the rest is not read at all. */
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
