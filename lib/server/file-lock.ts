import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { parseJson } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isAlive, processStart } from '#lib/embedded-database/stop-postgres.ts';

/** A lock that this process holds. `release` may be called twice. */
export type FileLock = { release(): void };

/** Result of an attempt: the lock, the process that holds it, or neither if several processes replace the file all the time. */
type Attempt = { lock: FileLock } | { holder: LockHolder } | { holder: null };

const HEARTBEAT_MS = 2000;
/** Time without a heartbeat after which a holder on another machine or in another container counts as dead. */
const SILENCE_MS = 3 * HEARTBEAT_MS;
const MAX_ATTEMPTS = 5;

/**
 * Acquires a lock that only one process holds, also across containers that share the folder. Takes over the lock of a killed process.
 * `address` is shown to people who want to open the process that holds the lock.
 */
export async function takeFileLock(file: string, address: string): Promise<Attempt> {
  const own: LockHolder = {
    processId: process.pid,
    processStart: processStart(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
    address,
    file,
  };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (createLock(file, own)) return { lock: maintainLock(file, own) };
    const text = readLock(file);
    const holder = parseHolder(text);
    if (holder !== null && !isCopy(holder, file, text) && (await isHolderAlive(holder, file))) return { holder };
    removeStaleLock(file, text);
  }
  return { holder: null };
}

const holderSchema = z.object({
  processId: z.int().positive(),
  processStart: z.string().nullable(),
  host: z.string(),
  since: z.string(),
  address: z.string(),
  /** Path of the lock when it was taken. Earlier versions did not store it. */
  file: z.string().optional(),
});

type LockHolder = z.infer<typeof holderSchema>;

/** Creates the lock file atomically. Returns false if it exists, because a hard link cannot replace a file. */
function createLock(file: string, own: LockHolder): boolean {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(own, null, 2)}\n`, { mode: 0o644 });
  try {
    linkSync(unfinished, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function maintainLock(file: string, own: LockHolder): FileLock {
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The folder was removed. The database reports that.
    }
  }, HEARTBEAT_MS);
  heartbeat.unref();
  const release = () => {
    clearInterval(heartbeat);
    const holder = parseHolder(readLock(file));
    if (holder?.processId === own.processId && holder.since === own.since && holder.host === own.host)
      rmSync(file, { force: true });
  };
  return { release };
}

function readLock(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function parseHolder(text: string | null): LockHolder | null {
  return holderSchema.safeParse(parseJson(text ?? '')).data ?? null;
}

/** Returns true if the lock was copied together with its folder, so that its holder uses the original. */
function isCopy(holder: LockHolder, file: string, text: string | null): boolean {
  if (holder.file === undefined || holder.file === file || readLock(holder.file) !== text) return false;
  const [original, own] = [holder.file, file].map((name) => statSync(name, { throwIfNoEntry: false }));
  return original !== undefined && own !== undefined && (original.ino !== own.ino || original.dev !== own.dev);
}

async function isHolderAlive(holder: LockHolder, file: string): Promise<boolean> {
  if (holder.host === hostname()) {
    if (!isAlive(holder.processId) || holder.processId === process.pid) return false;
    return holder.processStart === null || holder.processStart === processStart(holder.processId);
  }
  const before = changedAt(file);
  const until = Date.now() + SILENCE_MS;
  while (Date.now() < until) {
    await sleep(200);
    if (changedAt(file) !== before) return true;
  }
  return false;
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Removes the lock with this content, but not one that another process has created meanwhile. */
function removeStaleLock(file: string, text: string | null): void {
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readLock(aside) !== text) linkSync(aside, file);
  } catch {
    // Already removed or replaced. The next attempt checks again.
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Locks a data directory, so that only one Hone uses it. Fails with the process, start time and address of the holder. */
export async function lockDataFolder(dataFolder: string, address: string): Promise<Result<FileLock>> {
  const file = path.join(dataFolder, 'hone.lock');
  const attempt = await takeFileLock(file, address);
  if ('lock' in attempt) return succeed(attempt.lock);
  if (attempt.holder !== null) return fail('conflict', describe(dataFolder, attempt.holder));
  return fail(
    'conflict',
    `${file} keeps changing, because several processes are trying to lock the data directory. Start Hone once.`,
  );
}

function describe(dataFolder: string, holder: LockHolder): string {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `Hone is already running with the data directory ${dataFolder}: process ${holder.processId}${where}, since ${holder.since}, at ${holder.address}. Open that address, stop that process, or set HONE_DATA_DIR (and PORT) for a second one.`;
}
