import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A user that root starts a process as: PostgreSQL refuses to run as root, and a sandbox should not. */
export type ServerUser = { uid: number; gid: number };

/** The user `nobody` of most systems. Many programs run as it, so nothing that must stay private may belong to it. */
export const NOBODY: ServerUser = { uid: 65_534, gid: 65_534 };

/** User ids that distributions, systemd and containers leave unused. Source: systemd.io/UIDS-GIDS. */
const UNUSED_IDS = { first: 60_578, last: 61_183 };

/** Whether an id is one that `unusedUser` gives. */
export function isOwnId(id: number): boolean {
  return id >= UNUSED_IDS.first && id <= UNUSED_IDS.last;
}

/** A user of Hone's own: an id that no account, group or process of this machine has, so no other program acts as it. */
export function unusedUser(): ServerUser {
  const taken = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group'), ...usersOfProcesses()]);
  const free = Array.from({ length: UNUSED_IDS.last - UNUSED_IDS.first + 1 }, (_, at) => UNUSED_IDS.first + at).filter(
    (id) => !taken.has(id),
  );
  const id = free.length === 0 ? undefined : free[randomInt(free.length)];
  if (id === undefined)
    throw new Error(
      `All user ids from ${UNUSED_IDS.first} to ${UNUSED_IDS.last} are taken. Start Hone as an ordinary user, or set DATABASE_URL.`,
    );
  return { uid: id, gid: id };
}

/**
 * A system account that no process runs as right now, for `initdb`, which refuses a user without an account. `nobody` where each
 * has processes.
 */
export function idleAccount(): ServerUser {
  const busy = new Set(usersOfProcesses());
  const idle = readAccounts()
    .filter(({ uid, shell }) => uid > 0 && /\/(nologin|false)$/.test(shell) && !busy.has(uid))
    .at(-1);
  return idle === undefined ? NOBODY : { uid: idle.uid, gid: idle.gid };
}

/** The names of accounts, besides ours, by which people log in on this machine. */
export function otherLogins(): string[] {
  return readAccounts()
    .filter(({ uid }) => uid >= 1000 && uid !== NOBODY.uid && uid !== process.getuid?.())
    .filter(({ shell }) => !/\/(nologin|false|true)$/.test(shell))
    .map(({ name }) => name);
}

type Account = ServerUser & { name: string; shell: string };

/** The accounts of this machine as /etc/passwd lists them. */
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

let sandbox: ServerUser | undefined;

/**
 * The user of sandboxes, which owns nothing, where Hone runs as root and that user can reach all of `folders`; null elsewhere, where a
 * sandbox runs as Hone does.
 */
export function sandboxUser(folders: readonly string[]): ServerUser | null {
  if (process.getuid?.() !== 0) return null;
  sandbox ??= unusedUser();
  const user = sandbox;
  return folders.every((folder) => reaches(user, folder)) ? user : null;
}

const reached = new Map<string, boolean>();

/** Asked once for each folder. */
function reaches(user: ServerUser, folder: string): boolean {
  const known = reached.get(folder) ?? canEnter(user, folder);
  reached.set(folder, known);
  return known;
}
