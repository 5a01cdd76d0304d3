import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getBackupSchedule } from '#lib/backups/backup-schedule.ts';
import type { ScheduleFailure } from '#lib/backups/schema.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { formatCount, formatMoment, formatNumberOf } from '#lib/format.ts';
import { getLog } from '#lib/log/log.ts';
import { listLiveProcesses } from '#lib/queue/queries.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { getWorkerState, getWorkerTrouble, type WorkerState } from '#lib/worker/worker-state.ts';
import { clockSkewMs, type FailingProvider, failingProviders, findQueueFacts, type QueueFacts } from './queries.ts';

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
    isDatabaseOnDisk: database?.isShared === false,
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

export type HealthFacts = {
  databaseAnswers: boolean;
  /** State of this process's worker. */
  worker: WorkerState;
  /** Reason why the worker takes no runs although it should. Null if nothing is wrong. */
  trouble: string | null;
  /** Facts from the database. Null if it does not respond. */
  rest: {
    /** All live processes. */
    processes: readonly { kind: 'web' | 'worker'; slots: number; busy: number }[];
    queue: QueueFacts;
    failing: readonly FailingProvider[];
    clockSkewMs: number;
    /** Failure of the scheduled backup. Null if the last attempt succeeded or none is scheduled. */
    backupFailure: ScheduleFailure | null;
  } | null;
  /** Disk space of the data directory. Null if unknown. */
  disk: { freeBytes: number; totalBytes: number } | null;
  /** True if the data directory contains the database. */
  isDatabaseOnDisk: boolean;
};

type Health = {
  /** `degraded` means that everything works but needs attention. */
  status: 'ok' | 'degraded' | 'unavailable';
  /** Reasons why it is unavailable. */
  reasons: string[];
  /** Problems that need attention. */
  warnings: string[];
};

const STUCK_SECONDS = 60;
const MAX_SKEW_MS = 2_000;
const MIN_FREE_BYTES = 2 * 1024 ** 3;
const MIN_FREE_SHARE = 0.05;
/** Free space below which PostgreSQL cannot add a file to its log, in bytes. */
const FULL_BELOW_BYTES = 16 * 1024 ** 2;

/** Derives the health from the facts: failures, imminent failures and their remedies. */
export function judgeHealth(facts: HealthFacts): Health {
  const reasons = [
    ...(facts.databaseAnswers ? [] : ['The database does not respond.']),
    ...workerReasons(facts),
    ...diskReasons(facts),
  ];
  const { rest } = facts;
  const warnings = [
    ...(rest === null
      ? []
      : [
          ...workerWarnings(rest),
          ...providerWarnings(rest.failing),
          ...clockWarnings(rest.clockSkewMs),
          ...backupWarnings(rest.backupFailure),
        ]),
    ...(diskReasons(facts).length > 0 ? [] : diskWarnings(facts.disk)),
  ];
  return { status: reasons.length > 0 ? 'unavailable' : warnings.length > 0 ? 'degraded' : 'ok', reasons, warnings };
}

function workerReasons({ worker, trouble }: HealthFacts): string[] {
  switch (worker) {
    case 'working':
    case 'elsewhere':
      return [];
    case 'starting':
    case 'stopped':
      return [`The worker that performs runs is ${worker}.`];
    case 'outdated':
      return [trouble ?? 'This process performs no more runs: a newer version has changed the database.'];
  }
}

function workerWarnings({ processes, queue }: NonNullable<HealthFacts['rest']>): string[] {
  const slots = processes.reduce((sum, one) => sum + one.slots, 0);
  const free = processes.reduce((sum, one) => sum + Math.max(0, one.slots - one.busy), 0);
  const waiting = formatNumberOf(queue.ready, 'run');
  // Shortly after the start, no process has registered yet.
  if (processes.length > 0 && slots === 0)
    return [
      `No process performs runs${queue.ready > 0 ? `, and ${waiting} wait` : ''}. Start one: ${commandLine('worker')}.`,
    ];
  if (queue.ready > 0 && free > 0 && queue.oldestSeconds > STUCK_SECONDS)
    return [
      `The queue is stuck: ${waiting} may begin, the oldest since ${Math.round(queue.oldestSeconds)} s, although ${formatNumberOf(free, 'worker slot')} are free. Check the log.`,
    ];
  return [];
}

function providerWarnings(failing: readonly FailingProvider[]): string[] {
  return failing.map(
    ({ provider, failures, kind }) =>
      `The provider ${provider} has failed the last ${failures} calls (${kind.replaceAll('_', ' ')}). Test it under Models.`,
  );
}

function clockWarnings(skewMs: number): string[] {
  if (Math.abs(skewMs) <= MAX_SKEW_MS) return [];
  return [
    `The database's clock is ${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs > 0 ? 'ahead of' : 'behind'} this machine's. Synchronize both clocks (NTP).`,
  ];
}

function backupWarnings(failure: ScheduleFailure | null): string[] {
  if (failure === null) return [];
  const tried = failure.tries === 1 ? '' : ` It failed ${failure.tries} times, and is tried again.`;
  return [`The scheduled backup on ${failure.host} failed at ${formatMoment(failure.at)}: ${failure.message}${tried}`];
}

function diskReasons({ disk, isDatabaseOnDisk }: HealthFacts): string[] {
  if (!isDatabaseOnDisk || disk === null || disk.freeBytes >= FULL_BELOW_BYTES) return [];
  return ['The disk of the data directory is full, so nothing can be saved. Free some space. Runs then continue.'];
}

function diskWarnings(disk: HealthFacts['disk']): string[] {
  if (disk === null || disk.freeBytes >= Math.min(MIN_FREE_BYTES, disk.totalBytes * MIN_FREE_SHARE)) return [];
  return [
    `The disk of the data directory is nearly full: ${formatCount(Math.floor(disk.freeBytes / 1_000_000))} MB are left. Free some space.`,
  ];
}
