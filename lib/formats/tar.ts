import { pipeline } from 'node:stream/promises';
import { extract, pack } from 'tar-stream';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** A file of an archive. `name` uses slashes on every system. */
export type TarFile = { name: string; bytes: Uint8Array; modifiedAt: Date; mode?: number };

/** Streams a tar archive of files as they arrive. Writes no faster than the archive is read. */
export async function* writeTar(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const writing = writeEntries(archive, files);
  // Prevents an unhandled rejection. The loop below throws the error, because `writeEntries` destroys the archive with it.
  writing.catch(() => undefined);
  try {
    for await (const chunk of archive) yield bytesOf(chunk);
    await writing;
  } finally {
    archive.destroy();
  }
}

async function writeEntries(archive: ReturnType<typeof pack>, files: AsyncIterable<TarFile>): Promise<void> {
  try {
    for await (const { name, bytes, modifiedAt, mode } of files) {
      await new Promise<void>((resolve, reject) => {
        archive
          .entry({ name, size: bytes.length, mtime: modifiedAt, ...(mode !== undefined && { mode }) }, (error) =>
            error === null || error === undefined ? resolve() : reject(error),
          )
          .end(bytes);
      });
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/** Narrows a chunk of `tar-stream`, whose type is unknown. */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new Error('an archive must be read as bytes');
}

/** File of an archive. `path` uses slashes on every system. */
export type TextFile = { path: string; text: string };

/** Maximum size of a Markdown file, in bytes: four for each permitted character. */
const MAX_FILE_BYTES = 400_000;

/**
 * Streams the Markdown files of a tar archive in order, with at most one in memory. Skips all other entries. Ends with the problem
 * `invalid` if the bytes are not a complete archive, or `too_large` if a file is too large.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<TextFile>> {
  const archive = extract();
  const written = pipeline(bytes, archive);
  // Awaited below, except if a broken archive ends the loop early. This avoids an unhandled rejection.
  written.catch(() => undefined);
  try {
    for await (const entry of archive) {
      const { name, type, size } = entry.header;
      const isWanted = type === 'file' && isMarkdown(name);
      if (isWanted && (size ?? 0) > MAX_FILE_BYTES)
        return yield fail('too_large', `${shown(name)} is larger than ${MAX_FILE_BYTES / 1_000} kB.`, shown(name));
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) if (isWanted) chunks.push(bytesOf(chunk));
      if (isWanted) yield succeed({ path: name, text: new TextDecoder().decode(Buffer.concat(chunks)) });
    }
    await written;
  } catch {
    yield fail(
      'invalid',
      'The file is not a complete, uncompressed tar archive. Export the lessons again and import the new file.',
    );
  }
}

function shown(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name;
}

/** macOS adds a metadata file to each file, with a name that begins with `._`. */
function isMarkdown(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return /\.(md|markdown)$/i.test(name) && !name.startsWith('.');
}
