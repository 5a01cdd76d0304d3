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
