import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type FileLock, takeFileLock } from './file-lock.ts';
import { copyBuild, markServed, servedBuild } from './served-build.ts';

/** File that marks a finished build. */
const FINISHED = 'hone-finished';

const CANCELED = 'The start was canceled.';

type Options = { project: string; log(line: string): void; signal: AbortSignal; always?: boolean };

/** Time between two attempts to take the lock while another process builds, in milliseconds. */
const RETRY_MS = 1_000;

/** `isNew`: this call built the pages. `folder`: the copy to serve, which later builds do not change while this process runs. */
type Built = { isNew: boolean; folder: string };

/**
 * Builds the pages if their sources changed since the last build, or `always`. Leaves no process behind. One process at a time builds in a
 * folder. Another one, such as a worker, waits for that build.
 */
export async function buildPages({ project, log, signal, always = false }: Options): Promise<Result<Built>> {
  const stamp = path.join(project, '.next/hone-sources');
  const sources = fingerprintSources(project);
  const isBuilt = () =>
    existsSync(stamp) && existsSync(path.join(project, '.next/BUILD_ID')) && readFileSync(stamp, 'utf8') === sources;
  if (isBuilt() && !always) {
    const folder = servedBuild(project);
    if (folder !== null && markServed(folder)) return succeed({ isNew: false, folder });
    if (!isWritable(project)) return succeed({ isNew: false, folder: path.join(project, '.next') });
  }
  const lock = await lockBuild(project, log, signal);
  if (lock === null) return fail('unavailable', CANCELED);
  try {
    if (isBuilt() && !always) return succeed({ isNew: false, folder: serveCopy(project, { isNew: false }) });
    log(isBuilt() ? 'building the pages' : 'building the pages (only after a change, takes about half a minute)');
    for (const mark of [stamp, path.join(project, '.next', FINISHED)]) rmSync(mark, { force: true });
    // The cache of an earlier build. A process may be writing to it.
    rmSync(path.join(project, '.next/cache/compiled'), { recursive: true, force: true, maxRetries: 3 });
    const failure = await runBuild(project, log, signal);
    if (failure !== null) return fail('unavailable', failure);
    writeFileSync(stamp, sources);
    return succeed({ isNew: true, folder: serveCopy(project, { isNew: true }) });
  } finally {
    lock.release();
  }
}

/** Returns the copy of the build for this process to serve. */
function serveCopy(project: string, { isNew }: { isNew: boolean }): string {
  const known = servedBuild(project);
  const folder = known === null || isNew || !existsSync(known) ? copyBuild(project) : known;
  markServed(folder);
  return folder;
}

/** Waits until no other process builds in the folder. Null if the start was given up. */
async function lockBuild(project: string, log: (line: string) => void, signal: AbortSignal): Promise<FileLock | null> {
  // Next keeps this folder when it removes an old build.
  const folder = path.join(project, '.next/cache');
  mkdirSync(folder, { recursive: true });
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const attempt = await takeFileLock(path.join(folder, 'hone-build.lock'), project);
    if ('lock' in attempt) return attempt.lock;
    if (isFirst) log('another process is building the pages in this folder, waiting for it');
    await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

const SOURCE_FOLDERS = ['app', 'components', 'lib', 'public'];
const SOURCE_FILES = [
  'package-lock.json',
  'next.config.mjs',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'prisma/schema.prisma',
];

function fingerprintSources(project: string): string {
  const hash = createHash('sha256');
  const inFolders = SOURCE_FOLDERS.filter((folder) => existsSync(path.join(project, folder))).flatMap((folder) =>
    readdirSync(path.join(project, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => path.relative(project, path.join(entry.parentPath, entry.name))),
  );
  const files = [...SOURCE_FILES.filter((file) => existsSync(path.join(project, file))), ...inFolders];
  for (const file of files.filter((name) => !name.startsWith('lib/database/generated/')).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(project, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Returns null, or the reason the build failed. */
async function runBuild(project: string, log: (line: string) => void, signal: AbortSignal): Promise<string | null> {
  if (signal.aborted) return CANCELED;
  const began = Date.now();
  const child = spawn(process.execPath, [path.join(project, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: project,
    detached: true,
    env: buildEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const progress = setInterval(
    () => log(`still building (${Math.round((Date.now() - began) / 1000)} s)${stageOf(lines.join(''))}`),
    5000,
  );
  const closed = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, endedBy) => resolve(code === 0 ? null : `it ended with ${endedBy ?? code}`));
  });
  const onAbort = () => void endGroup(child);
  signal.addEventListener('abort', onAbort);
  const outcome = await closed;
  signal.removeEventListener('abort', onAbort);
  clearInterval(progress);
  if (signal.aborted) {
    await endGroup(child);
    return CANCELED;
  }
  if (outcome === null) return null;
  return `The pages could not be built (${outcome}):\n${lines.join('').trimEnd()}`;
}

/**
 * Makes later starts and page loads of the build in the folder `built` faster, in a process with low priority: see `finish-build.mjs`.
 * Returns true if it did, and false if it was done before or if the build is read-only. Its failures are ignored, because everything works
 * without it.
 */
export async function finishBuild(project: string, built: string, signal: AbortSignal): Promise<boolean> {
  if (existsSync(path.join(built, FINISHED)) || !isWritable(built) || signal.aborted) return false;
  const child = spawn(process.execPath, [path.join(project, 'lib/server/finish-build.mjs'), built], {
    cwd: project,
    env: buildEnvironment(),
    stdio: 'ignore',
    signal,
  });
  const code = await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
  return code === 0;
}

/** Marks the build as finished, so that no start finishes it again. */
export function markFinished(built: string): void {
  writeFileSync(path.join(built, FINISHED), '');
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the build stage that Next printed, without its animation. */
function stageOf(output: string): string {
  const stage = stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => /^[A-Z][\w ]+\.\.\.$/.test(line.replace(/ ?\.\.\.$/, '...')));
  return stage === undefined ? '' : `: ${stage.replace(/ ?\.\.\.$/, '').toLowerCase()}`;
}

/** Ends the process group of the build, because Next starts child processes. Resolves when none is left. */
async function endGroup(child: ChildProcess): Promise<void> {
  const group = child.pid;
  if (group === undefined) return;
  const until = Date.now() + 3000;
  for (
    let signal: NodeJS.Signals = 'SIGTERM';
    Date.now() < until;
    signal = Date.now() > until - 2000 ? 'SIGKILL' : signal
  ) {
    try {
      process.kill(-group, signal);
    } catch {
      return;
    }
    await sleep(50);
  }
}

/** Returns the environment without secrets, which the build does not need. */
function buildEnvironment(): NodeJS.ProcessEnv {
  const secret = /^(DATABASE_URL|HONE_SECRET)$|_API_KEY$/;
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.test(name)));
  return { ...environment, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
}
