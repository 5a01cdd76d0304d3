import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A user for processes started by root. PostgreSQL refuses to run as root, and a sandbox should not. */
export type ServerUser = { uid: number; gid: number };

/** The user `nobody` of most systems. Many programs run as it, so it must not own private files. */
export const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 };

/** User IDs that distributions, systemd and containers leave unused. Source: systemd.io/UIDS-GIDS. */
const UNUSED_IDS = { first: 60_578, last: 61_183 };

/** Returns true if `unusedUser` may have returned this ID. */
export function isOwnId(id: number): boolean {
  return id >= UNUSED_IDS.first && id <= UNUSED_IDS.last;
}

/** Returns a user ID that no account, group or process of this machine has, so that no other program shares its permissions. */
export function unusedUser(): ServerUser {
  const usedIds = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group'), ...usersOfProcesses()]);
  const free = Array.from({ length: UNUSED_IDS.last - UNUSED_IDS.first + 1 }, (_, at) => UNUSED_IDS.first + at).filter(
    (id) => !usedIds.has(id),
  );
  const id = free.length === 0 ? undefined : free[randomInt(free.length)];
  if (id === undefined)
    throw new Error(
      `All user IDs from ${UNUSED_IDS.first} to ${UNUSED_IDS.last} are in use. Start Hone as an ordinary user, or set DATABASE_URL.`,
    );
  return { uid: id, gid: id };
}

/**
 * Returns a system account without running processes, for `initdb`, which refuses a user without an account. Returns `nobody` if every
 * account has processes.
 */
export function idleAccount(): ServerUser {
  const busy = new Set(usersOfProcesses());
  const idle = readAccounts()
    .filter(({ uid, shell }) => uid > 0 && /\/(nologin|false)$/.test(shell) && !busy.has(uid))
    .at(-1);
  return idle === undefined ? NOBODY : { uid: idle.uid, gid: idle.gid };
}

/** Returns the names of other accounts that can log in on this machine. */
export function otherLogins(): string[] {
  return readAccounts()
    .filter(({ uid }) => uid >= 1000 && uid !== NOBODY.uid && uid !== process.getuid?.())
    .filter(({ shell }) => !/\/(nologin|false|true)$/.test(shell))
    .map(({ name }) => name);
}

type Account = ServerUser & { name: string; shell: string };

/** Returns the accounts of this machine from /etc/passwd. */
function readAccounts(): Account[] {
  return linesOf('/etc/passwd').map((line) => {
    const [name = '', , uid, gid, , , shell = ''] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid), shell };
  });
}

function idsIn(file: string): number[] {
  return linesOf(file).map((line) => Number(line.split(':')[2]));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^[^#:]+:/.test(line));
  } catch {
    return [];
  }
}

function usersOfProcesses(): number[] {
  if (process.platform !== 'linux') {
    const answer = spawnSync('ps', ['-axo', 'uid='], { encoding: 'utf8' });
    return (answer.stdout ?? '').split('\n').map(Number);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statSync(`/proc/${name}`, { throwIfNoEntry: false })?.uid ?? []);
}

/**
 * Returns true if a user can enter a folder. Runs a small process as that user, so that permissions of all parents and access lists count.
 */
export function canEnter(user: ServerUser, folder: string): boolean {
  const answer = spawnSync('/bin/sh', ['-c', 'cd -- "$1" 2>/dev/null', 'sh', folder], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  if (answer.error)
    throw new Error(
      `Hone runs as root, but is not allowed to start a process as user ${user.uid}: ${answer.error.message}. Start Hone as an ordinary user, or set DATABASE_URL.`,
    );
  return answer.status === 0;
}

let sandbox: ServerUser | undefined;

/**
 * Returns the sandbox user, which owns nothing, if Hone runs as root and that user can reach all of `folders`. Otherwise returns null, and
 * a sandbox runs as Hone's user.
 */
export function sandboxUser(folders: readonly string[]): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  sandbox ??= unusedUser();
  const user = sandbox;
  return folders.every((folder) => reaches(user, folder)) ? user : null;
}

const reached = new Map<string, boolean>();

/** Cached for each folder. */
function reaches(user: ServerUser, folder: string): boolean {
  const known = reached.get(folder) ?? canEnter(user, folder);
  reached.set(folder, known);
  return known;
}
