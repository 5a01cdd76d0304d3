import { spawnSync } from 'node:child_process';

/** The user PostgreSQL runs as when Hone runs as root, since PostgreSQL refuses to run as root. */
export type ServerUser = { uid: number; gid: number };

/** The user `nobody` of most systems: it owns nothing. */
export const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 };

/** Asks the system itself (rights of all parents, access lists), by a small process of that user. */
export function canEnter(user: ServerUser, folder: string): boolean {
  const answer = spawnSync('/bin/sh', ['-c', 'cd -- "$1" 2>/dev/null', 'sh', folder], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  if (answer.error)
    throw new Error(
      `Hone runs as root, but may not start a process as user ${user.uid}: ${answer.error.message}. Start Hone as an ordinary user, or set DATABASE_URL.`,
    );
  return answer.status === 0;
}
