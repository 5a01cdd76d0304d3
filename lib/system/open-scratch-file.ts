import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Opens an empty unnamed temporary file for reading and writing. Nobody else can open it, and the system deletes it when it is closed or
 * when the process ends for any reason.
 */
export async function openScratchFile(): Promise<FileHandle> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hone-import-'));
  try {
    return await open(path.join(folder, 'bytes'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
