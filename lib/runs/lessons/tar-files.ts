import { extract, pack } from 'tar-stream';

/** A file of an archive; `path` with slashes, whatever the system. */
export type TextFile = { path: string; text: string };

/** A tar archive of text files as they come, written no faster than it is read. `modifiedAt` is a moment. */
export async function* writeTar(files: AsyncIterable<TextFile & { modifiedAt: string }>): AsyncGenerator<Uint8Array> {
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

async function fill(
  archive: ReturnType<typeof pack>,
  files: AsyncIterable<TextFile & { modifiedAt: string }>,
): Promise<void> {
  try {
    for await (const { path, text, modifiedAt } of files) {
      const bytes = Buffer.from(text);
      await new Promise<void>((resolve, reject) => {
        const header = { name: path, size: bytes.length, mtime: new Date(modifiedAt) };
        archive
          .entry(header, (error) => (error === null || error === undefined ? resolve() : reject(error)))
          .end(bytes);
      });
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/** The Markdown files of a tar archive, in its order; null for what is none. What else is in it is passed by. */
export async function readTar(bytes: Uint8Array): Promise<TextFile[] | null> {
  const files: TextFile[] = [];
  const archive = extract();
  try {
    archive.end(bytes);
    for await (const entry of archive) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(bytesOf(chunk));
      const { name, type } = entry.header;
      if (type === 'file' && isMarkdown(name))
        files.push({ path: name, text: new TextDecoder().decode(Buffer.concat(chunks)) });
    }
  } catch {
    return null;
  }
  return files;
}

/** The library's types leave open what it reads. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new Error('an archive is read as bytes');
}

/** macOS puts a file of its own beside each, whose name begins with `._`. */
function isMarkdown(path: string): boolean {
  const name = path.split('/').at(-1) ?? '';
  return /\.(md|markdown)$/i.test(name) && !name.startsWith('.');
}
