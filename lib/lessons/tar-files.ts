import { extract } from 'tar-stream';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { bytesOf } from '#lib/formats/tar.ts';

/** A file of an archive; `path` with slashes, whatever the system. */
export type TextFile = { path: string; text: string };

/** More Markdown of one file is refused, in bytes: four for each character that a file may have. */
const LARGEST_FILE = 400_000;

/**
 * The Markdown files of a tar archive as its bytes arrive, in its order, never more than one in memory; what else is in it is passed by.
 * Ends with the problem `invalid` if the bytes are not a complete archive, or if a file is too large.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<TextFile>> {
  const archive = extract();
  const given = give(archive, bytes);
  // Told below: an archive that is broken ends the loop before all of it was given.
  given.catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { name, type, size } = entry.header;
      const isWanted = type === 'file' && isMarkdown(name);
      if (isWanted && (size ?? 0) > LARGEST_FILE)
        return yield fail('too_large', `${shown(name)} is larger than ${LARGEST_FILE / 1_000} kB.`, shown(name));
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) if (isWanted) chunks.push(bytesOf(chunk));
      if (isWanted) yield succeed({ path: name, text: new TextDecoder().decode(Buffer.concat(chunks)) });
    }
    await given;
  } catch {
    yield fail(
      'invalid',
      'The file is not a complete, uncompressed tar archive. Export the lessons again and import the new file.',
    );
  }
}

/** Hands bytes on no faster than they are read. */
async function give(archive: ReturnType<typeof extract>, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  let goOn: () => void = () => undefined;
  archive.on('drain', () => goOn()).on('close', () => goOn());
  try {
    for await (const chunk of bytes) {
      const drained = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      if (!archive.write(chunk)) await drained;
    }
    archive.end(Buffer.alloc(0));
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name;
}

/** macOS puts a file of its own beside each, whose name begins with `._`. */
function isMarkdown(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return /\.(md|markdown)$/i.test(name) && !name.startsWith('.');
}
