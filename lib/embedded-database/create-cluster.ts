import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { idleAccount } from '#lib/system/server-user.ts';
import { makeSuperuserPassword } from './cluster-passwords.ts';
import { SERVER_ENVIRONMENT } from './postgres-binaries.ts';
import { giveAway, type PostgresPlace } from './postgres-location.ts';

type Options = { place: PostgresPlace; binaries: string; durable: boolean; signal: AbortSignal };

/** Finds the cluster's folder in its place, or makes it under another name first, so that a half-made one is never taken for whole. */
export async function createCluster({ place, binaries, durable, signal }: Options): Promise<Result<string>> {
  const folder = path.join(place.folder, 'cluster');
  if (existsSync(folder)) return succeed(folder);

  for (const name of readdirSync(place.folder).filter((entry) => /^(cluster\.new|password\.initdb)-/.test(entry))) {
    rmSync(path.join(place.folder, name), { recursive: true, force: true });
  }
  const unfinished = `${folder}.new-${process.pid}-${Date.now()}`;
  const failure = await runInitdb({ place, binaries, durable, signal }, unfinished);
  if (failure !== null) {
    rmSync(unfinished, { recursive: true, force: true });
    return fail('unavailable', failure);
  }
  if (place.user !== null) giveAway(unfinished, place.user);
  renameSync(unfinished, folder);
  return succeed(folder);
}

/** Nothing of the machine's language settings gets into the cluster. */
const CLUSTER_FLAGS = [
  '--username=hone',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--no-instructions',
];

/** As an account that has no processes, where PostgreSQL's own user is none that initdb knows. */
async function runInitdb({ place, binaries, durable, signal }: Options, folder: string): Promise<string | null> {
  const user = place.user && { uid: idleAccount().uid, gid: place.user.gid };
  const passwordFile = path.join(place.folder, `password.initdb-${process.pid}`);
  writeFileSync(passwordFile, `${makeSuperuserPassword(place.folder)}\n`, { mode: 0o600 });
  mkdirSync(folder, { mode: 0o700 });
  if (user !== null) for (const made of [passwordFile, folder]) chownSync(made, user.uid, user.gid);
  const flags = [...CLUSTER_FLAGS, `--pgdata=${folder}`, `--pwfile=${passwordFile}`, ...(durable ? [] : ['--no-sync'])];
  const child = spawn(path.join(binaries, 'bin/initdb'), flags, {
    ...user,
    cwd: place.folder,
    detached: true,
    env: SERVER_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  // initdb starts processes of its own; they are all of its group.
  const kill = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGKILL');
  signal.addEventListener('abort', kill);
  const outcome = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, endedBy) =>
      resolve(code === 0 ? null : errors.join('').trim() || `it ended with ${endedBy ?? code}`),
    );
    if (signal.aborted) kill();
  });
  signal.removeEventListener('abort', kill);
  rmSync(passwordFile, { force: true });
  if (outcome === null) return null;
  const reason = /effective user ID/.test(outcome)
    ? `user ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs`
    : outcome;
  return `PostgreSQL could not make its data folder in ${place.folder}: ${reason}. Mend that, or set DATABASE_URL to a PostgreSQL that you run.`;
}
