import { hkdfSync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The 32 bytes that seal provider keys: derived from HONE_SECRET if given, else from `secret.key` in the data folder,
 * which is made once with mode 0600. Throws when the file is not 32 bytes long.
 */
export function readSecret(dataFolder: string, given: string | null): Buffer {
  if (given !== null) return Buffer.from(hkdfSync('sha256', given, 'hone', 'provider keys', 32));
  const file = path.join(dataFolder, 'secret.key');
  makeOnce(file);
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  const secret = readFileSync(file);
  if (secret.length !== 32) {
    throw new Error(
      `${file} holds ${secret.length} bytes instead of 32. Bring the old file back, or delete it and enter the provider keys again.`,
    );
  }
  return secret;
}

/** The same, but null where there is none yet: nothing is made. */
export function findSecret(dataFolder: string, given: string | null): Buffer | null {
  return given === null && !existsSync(path.join(dataFolder, 'secret.key')) ? null : readSecret(dataFolder, given);
}

/** Whole or not at all: written under another name and linked, which fails when the file is there. */
function makeOnce(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, randomBytes(32), { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}
