import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isAlive, processStart } from '#lib/embedded-database/stop-postgres.ts';

/** One Hone per data folder. `release` may be called twice. */
type DataFolderLock = { release(): void };

const HEARTBEAT_MS = 2000;
/** A holder on another machine or in another container can only be seen by its heartbeat. */
const SILENCE_MS = 3 * HEARTBEAT_MS;

/** Takes the folder, also from a holder that was killed; refuses with who holds it: process, since when, address. */
export async function lockDataFolder(dataFolder: string, address: string): Promise<Result<DataFolderLock>> {
  const file = path.join(dataFolder, 'hone.lock');
  const own: Holder = {
    processId: process.pid,
    processStart: processStart(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
    address,
  };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (createLock(file, own)) return succeed(keepLock(file, own));
    const text = readLock(file);
    const holder = parseHolder(text);
    if (holder !== null && (await lives(holder, file))) return fail('conflict', describe(dataFolder, holder));
    takeAway(file, text);
  }
  return fail(
    'conflict',
    `${file} changes all the time: several starts are trying to take the data folder. Start Hone once.`,
  );
}

const holderSchema = z.object({
  processId: z.int().positive(),
  processStart: z.string().nullable(),
  host: z.string(),
  since: z.string(),
  address: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

/** Whole or not at all, and only when there is none: a link fails on a name that is taken. */
function createLock(file: string, own: Holder): boolean {
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

function keepLock(file: string, own: Holder): DataFolderLock {
  const heartbeat = setInterval(() => {
    try {
      utimesSync(file, new Date(), new Date());
    } catch {
      // The folder was taken away under us; the database will say so.
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

function parseHolder(text: string | null): Holder | null {
  try {
    return holderSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

async function lives(holder: Holder, file: string): Promise<boolean> {
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

/** Takes away the lock that was read, not one that another start has put there meanwhile. */
function takeAway(file: string, text: string | null): void {
  const aside = `${file}.old-${process.pid}`;
  try {
    renameSync(file, aside);
    if (readLock(aside) !== text) linkSync(aside, file);
  } catch {
    // Gone or replaced already: the next attempt looks again.
  } finally {
    rmSync(aside, { force: true });
  }
}

function describe(dataFolder: string, holder: Holder): string {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `Hone is already running on the data folder ${dataFolder}: process ${holder.processId}${where}, since ${holder.since}, at ${holder.address}. Open that address, stop that process, or set HONE_DATA_DIR (and PORT) for a second one.`;
}
