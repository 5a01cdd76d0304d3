import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SERVER_ENVIRONMENT } from '#lib/db/postgres-binaries.ts';
import type { PostgresPlace } from '#lib/db/postgres-place.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

export type Cluster = { folder: string; password: string };

type Options = { place: PostgresPlace; binaries: string; durable: boolean; signal: AbortSignal };

/** Finds the cluster in its place, or makes it under another name first, so that a half-made one is never taken for whole. */
export async function createCluster({ place, binaries, durable, signal }: Options): Promise<Result<Cluster>> {
  const folder = path.join(place.folder, 'cluster');
  const passwordFile = path.join(place.folder, 'password');
  if (existsSync(folder)) return succeed({ folder, password: readFileSync(passwordFile, 'utf8').trim() });

  for (const name of readdirSync(place.folder).filter((entry) => entry.startsWith('cluster.new-'))) {
    rmSync(path.join(place.folder, name), { recursive: true, force: true });
  }
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user !== null) chownSync(passwordFile, place.user.uid, place.user.gid);
  const unfinished = `${folder}.new-${process.pid}-${Date.now()}`;
  const failure = await runInitdb({ place, binaries, durable, signal }, unfinished, passwordFile);
  if (failure !== null) {
    rmSync(unfinished, { recursive: true, force: true });
    return fail('unavailable', failure);
  }
  renameSync(unfinished, folder);
  return succeed({ folder, password });
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

async function runInitdb(
  { place, binaries, durable, signal }: Options,
  folder: string,
  passwordFile: string,
): Promise<string | null> {
  const flags = [...CLUSTER_FLAGS, `--pgdata=${folder}`, `--pwfile=${passwordFile}`, ...(durable ? [] : ['--no-sync'])];
  const child = spawn(path.join(binaries, 'bin/initdb'), flags, {
    ...place.user,
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
  if (outcome === null) return null;
  const reason = /effective user ID/.test(outcome)
    ? `user ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs`
    : outcome;
  return `PostgreSQL could not make its data folder in ${place.folder}: ${reason}. Mend that, or set DATABASE_URL to a PostgreSQL that you run.`;
}
