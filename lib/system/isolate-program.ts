import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { canEnter, isOwnId, type ServerUser, unusedUser } from '#lib/system/server-user.ts';

/**
 * Isolation of HONE_MCP_COMMANDS programs from Hone's processes and their parents, whose environment may contain secrets. `user`: they run
 * as another user, if Hone runs as root. `namespace`: they see only their own processes (Linux). `none`: neither is available.
 */
type ProgramIsolation = 'user' | 'namespace' | 'none';

type Program = { command: string; args: string[]; env: Record<string, string>; cwd?: string };

/** Home directory of these programs if Hone runs as root. Its owner is the user they run as. */
export const PROGRAMS_HOME = '/var/lib/hone/mcp-home';

let isolation: ProgramIsolation | undefined;

/** Returns the available isolation, which is determined once. */
export function programIsolation(): ProgramIsolation {
  isolation ??= process.getuid?.() === 0 ? 'user' : hasNamespaces() ? 'namespace' : 'none';
  return isolation;
}

/**
 * Returns the command that starts a program isolated from Hone. A program that does not exist is returned unchanged, so that it fails with
 * its own error.
 */
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

/** Works without root. The program sees only its own child processes, and ends together with the process that started it. */
const NAMESPACE = ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];

function hasNamespaces(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
}

/** Drops root privileges and then replaces itself with the program. */
const AS_USER = `const [id, file, ...args] = process.argv.slice(1);
process.setgroups([]);
process.setgid(Number(id));
process.setuid(Number(id));
process.execve(file, [file, ...args], process.env);`;

/** Returns the same user on every start, because that user owns the files in the home directory. */
function programsUser(): ServerUser {
  mkdirSync(PROGRAMS_HOME, { recursive: true });
  const { uid } = lstatSync(PROGRAMS_HOME);
  if (isOwnId(uid)) return { uid, gid: uid };
  const user = unusedUser();
  lchownSync(PROGRAMS_HOME, user.uid, user.gid);
  chmodSync(PROGRAMS_HOME, 0o700);
  return user;
}

/** Resolves a command by PATH like a shell. Returns null if it does not exist. */
function findProgram(command: string): string | null {
  const folders = command.includes('/') ? [''] : (process.env.PATH ?? '').split(path.delimiter);
  const files = folders.map((folder) => path.resolve(folder, command));
  return files.find((file) => existsSync(file)) ?? null;
}
