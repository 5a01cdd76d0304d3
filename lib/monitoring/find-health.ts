import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBackupSchedule } from '#lib/backups/backup-schedule.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { getLog } from '#lib/log/log.ts';
import { listLiveProcesses } from '#lib/queue/queries.ts';
import { getWorkerState, getWorkerTrouble } from '#lib/worker/worker-state.ts';
import { type Health, type HealthFacts, judgeHealth } from './judge-health.ts';
import { clockSkewMs, failingProviders, findQueueFacts } from './queries.ts';

const DATABASE_LIMIT_MS = 2_000;
/** Cache time of slowly changing facts, in milliseconds. Health checks are frequent. */
const KEPT_MS = 3_000;

declare global {
  // Several routes, each a separate module instance, share this one cache.
  var honeHealth: { atMs: number; rest: Promise<HealthFacts['rest']> } | undefined;
}

/** Returns the health of this process and its dependencies. Never throws: unreadable facts are reported as problems. */
export async function findHealth(
  dataFolder: string,
): Promise<Health & Pick<HealthFacts, 'databaseAnswers' | 'worker'>> {
  const database = await openDatabase();
  const databaseAnswers = database !== null && (await isDatabaseResponsive(database));
  const worker = getWorkerState();
  const rest = database !== null && databaseAnswers ? await slowFacts(database) : null;
  const health = judgeHealth({
    databaseAnswers,
    worker,
    trouble: getWorkerTrouble(),
    rest,
    disk: await diskOf(dataFolder),
  });
  return { ...health, databaseAnswers, worker };
}

async function openDatabase(): Promise<Database | null> {
  try {
    return (await getAppContext()).database;
  } catch (error) {
    getLog().error('health', error);
    return null;
  }
}

/** Returns false if the database responds with an error. Never throws. */
function isDatabaseResponsive(database: Database): Promise<boolean> {
  const check = clockSkewMs(database, () => new Date()).then(
    () => true,
    () => false,
  );
  return Promise.race([check, sleep(DATABASE_LIMIT_MS, false, { ref: false })]);
}

function slowFacts(database: Database): Promise<HealthFacts['rest']> {
  const cached = globalThis.honeHealth;
  if (cached !== undefined && performance.now() - cached.atMs < KEPT_MS) return cached.rest;
  const rest = readSlowFacts(database).catch((error: unknown) => {
    getLog().error('health', error);
    return null;
  });
  globalThis.honeHealth = { atMs: performance.now(), rest };
  return rest;
}

/** Reads the facts for the health status except the worker's own state. */
export async function readSlowFacts(database: Database): Promise<NonNullable<HealthFacts['rest']>> {
  const [processes, queue, failing, skewMs, backups] = await Promise.all([
    listLiveProcesses(database),
    findQueueFacts(database),
    failingProviders(database),
    clockSkewMs(database, () => new Date()),
    getBackupSchedule({ database, now: () => new Date() }),
  ]);
  return { processes, queue, failing, clockSkewMs: skewMs, backupFailure: backups.failure };
}

async function diskOf(folder: string): Promise<HealthFacts['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}
