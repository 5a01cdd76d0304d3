import { pack } from 'tar-stream';

/** A file of an archive; `name` with slashes, whatever the system. */
export type TarFile = { name: string; bytes: Uint8Array; modifiedAt: Date; mode?: number };

/** A tar archive of files as they come, written no faster than it is read. */
export async function* writeTar(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  const archive = pack();
  const filled = fill(archive, files);
  // Told by the loop below, which ends with the archive: nobody else waits for it.
  filled.catch(() => undefined);
  try {
    for await (const chunk of archive) yield bytesOf(chunk);
    await filled;
  } finally {
    archive.destroy();
  }
}

async function fill(archive: ReturnType<typeof pack>, files: AsyncIterable<TarFile>): Promise<void> {
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

/** A chunk that `tar-stream` reads: its types leave open what it is. */
export function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new Error('an archive is read as bytes');
}
