import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { canEnter, type ServerUser } from '#lib/system/server-user.ts';

/** Longest path of a unix socket, in bytes: 107 on Linux, 103 on macOS. */
const LONGEST_SOCKET_PATH = 103;
const SOCKET_NAME = '.s.PGSQL.5432';

/**
 * A private folder for the server's socket: always the same one for a cluster, short enough for a socket's path, and
 * owned by the server's user. Somebody else's folder of that name is never used.
 */
export function makeSocketFolder(cluster: string, user: ServerUser | null): string {
  const owner = user?.uid ?? process.getuid?.() ?? 0;
  const name = `hone-${createHash('sha256').update(`${owner}:${cluster}`).digest('hex').slice(0, 12)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) => fits(path.join(folder, name)) && (user === null || canEnter(user, folder)),
  );
  if (parent === undefined)
    throw new Error(
      `no folder for PostgreSQL's socket: ${tmpdir()} is too long a path or closed to user ${owner}, and so is /tmp. Set TMPDIR to a short path, or DATABASE_URL.`,
    );
  const folder = path.join(parent, name);
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (user !== null) chownSync(folder, user.uid, user.gid);
    return folder;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const found = lstatSync(folder);
  if (found.isDirectory() && found.uid === owner && (found.mode & 0o077) === 0) return folder;
  const other = mkdtempSync(path.join(parent, 'hone-'));
  if (user !== null) chownSync(other, user.uid, user.gid);
  return other;
}

/** Once the server has taken its socket away. */
export function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty or gone: the next start uses it or makes it again.
  }
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, SOCKET_NAME)) <= LONGEST_SOCKET_PATH;
}
