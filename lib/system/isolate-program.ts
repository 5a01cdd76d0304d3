import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { canEnter, isOwnId, type ServerUser, unusedUser } from '#lib/system/server-user.ts';

/**
 * How programs of HONE_MCP_COMMANDS are kept from Hone's processes and those that started it, whose environment may hold secrets. `user`:
 * they run as another user, where Hone runs as root. `namespace`: they see no processes but their own (Linux). `none`: neither can be had.
 */
type ProgramIsolation = 'user' | 'namespace' | 'none';

type Program = { command: string; args: string[]; env: Record<string, string>; cwd?: string };

/** The home of these programs where Hone runs as root; its owner is the user they run as. */
export const PROGRAMS_HOME = '/var/lib/hone/mcp-home';

let isolation: ProgramIsolation | undefined;

/** Asked of the system once. */
export function programIsolation(): ProgramIsolation {
  isolation ??= process.getuid?.() === 0 ? 'user' : hasNamespaces() ? 'namespace' : 'none';
  return isolation;
}

/** The command that starts a program apart from Hone. One that is not there is left as it is, so that its error says so. */
export function isolateProgram(command: string, args: string[], env: Record<string, string>): Program {
  const file = findProgram(command);
  if (file === null) return { command, args, env };
  switch (programIsolation()) {
    case 'none':
      return { command, args, env };
    case 'namespace':
      return { command: 'unshare', args: [...NAMESPACE, command, ...args], env };
    case 'user': {
      const user = programsUser();
      const folder = canEnter(user, process.cwd()) ? {} : { cwd: PROGRAMS_HOME };
      const started = ['-e', AS_USER, '--', String(user.uid), file, ...args];
      return { command: process.execPath, args: started, env: { ...env, HOME: PROGRAMS_HOME }, ...folder };
    }
  }
}

/** Also without rights of root: the program is alone with what it starts, and ends with the one that started it. */
const NAMESPACE = ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];

function hasNamespaces(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/** Gives up root's rights, then becomes the program. */
const AS_USER = `const [id, file, ...args] = process.argv.slice(1);
process.setgroups([]);
process.setgid(Number(id));
process.setuid(Number(id));
process.execve(file, [file, ...args], process.env);`;

/** Always the same one on a machine, since what it keeps in its home is its own. */
function programsUser(): ServerUser {
  mkdirSync(PROGRAMS_HOME, { recursive: true });
  const { uid } = lstatSync(PROGRAMS_HOME);
  if (isOwnId(uid)) return { uid, gid: uid };
  const user = unusedUser();
  lchownSync(PROGRAMS_HOME, user.uid, user.gid);
  chmodSync(PROGRAMS_HOME, 0o700);
  return user;
}

/** By PATH, as a shell finds it; null where it is not there. */
function findProgram(command: string): string | null {
  const folders = command.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  const files = folders.map((folder) => path.resolve(folder, command));
  return files.find((file) => existsSync(file)) ?? null;
}
