import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import { bytesOf, writeTar } from '#lib/formats/tar.ts';

/** One file of a backup archive: a part of a table's rows, or the manifest. */
export type ArchiveFile = { name: string; bytes: Uint8Array };

/** Writes a tar archive of files as they arrive. Only its owner can read it. */
export async function* writeArchive(files: AsyncIterable<ArchiveFile>, madeAt: Date): AsyncGenerator<Uint8Array> {
  const entries = async function* () {
    for await (const file of files) yield { ...file, modifiedAt: madeAt, mode: 0o600 };
  };
  yield* writeTar(entries());
}

/** Yields the files of a compressed archive in order, one at a time. Throws if it is truncated or not an archive. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveFile> {
  const archive = extract();
  const unpacked = pipeline(createReadStream(file), createGunzip(), archive);
  // The loop below also receives the error and ends.
  unpacked.catch(() => undefined);
  try {
    for await (const entry of archive) {
      if (entry.header.type !== 'file') throw new Error(`it contains ${entry.header.name}, which is not a file`);
      for await (const bytes of entry) yield { name: entry.header.name, bytes: bytesOf(bytes) };
    }
    await unpacked;
  } finally {
    archive.destroy();
  }
}

const RECOPY_REMEDY = 'Copy the file again from its source, or use another backup';
const NOT_A_BACKUP_REMEDY = 'Name a file that Hone made (npm run backup, or Settings, Backup and retention)';

/** Returns why a file could not be read as a complete backup, and the remedy. Both are for people, without final punctuation. */
export function fileFault(file: string, error: unknown): { what: string; remedy: string } {
  const what = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case 'ENOENT':
      return { what: 'there is no such file', remedy: 'Check its name and folder' };
    case 'EISDIR':
      return { what: 'it is a folder', remedy: 'Name a backup file, for example one in this folder' };
    case 'Z_BUF_ERROR':
      return { what: isEmpty(file) ? 'it is empty' : 'it ends in the middle', remedy: RECOPY_REMEDY };
    case 'Z_DATA_ERROR':
      return what === 'incorrect header check'
        ? { what: 'it is a file of another program', remedy: NOT_A_BACKUP_REMEDY }
        : { what: `it is damaged (${what})`, remedy: RECOPY_REMEDY };
    case null:
      return what.startsWith('Invalid tar header')
        ? {
            what: 'it is an archive of another program, or damaged',
            remedy: `${NOT_A_BACKUP_REMEDY}, or copy it again`,
          }
        : { what, remedy: RECOPY_REMEDY };
    default:
      return { what: `it can’t be read (${what})`, remedy: 'Fix that, or use another backup' };
  }
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function isEmpty(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === 0;
}
