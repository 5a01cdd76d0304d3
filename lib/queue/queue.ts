import { type Db, fromPrisma, type JobWithMetadata, PgBoss } from 'pg-boss';
import { z } from 'zod';
import { sessionAddress } from '#lib/database/session-address.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { detectGaps } from './detect-gaps.ts';
import { type Dispatcher, dispatchJobs, type JobSource, ReturnedJobError } from './dispatch-jobs.ts';
import { deleteJobs } from './queries.ts';

/** Performs a run. It may call `freeSlot` when only its last save remains. */
export type PerformQueued = (runId: string, freeSlot: () => void) => Promise<void>;

/** Wraps `perform` to run one call per run at a time. A second call for a run waits until the first has succeeded or failed. */
function inTurn(perform: PerformQueued): PerformQueued {
  const last = new Map<string, Promise<void>>();
  return async (runId, freeSlot) => {
    const before = last.get(runId);
    const own = (before ?? Promise.resolve()).catch(() => undefined).then(() => perform(runId, freeSlot));
    last.set(runId, own);
    try {
      await own;
    } finally {
      if (last.get(runId) === own) last.delete(runId);
    }
  };
}

/** Maximum delay of anything in the queue, in seconds. Later times were written before the clock was set back. */
const MAX_QUEUE_DELAY_SECONDS = 60;

const stateSchema = z.object({ isOpen: z.boolean(), isDue: z.boolean(), isDead: z.boolean() });

/** State of a queue's jobs: some are unfinished, some can start now, some were claimed but have no heartbeat. */
type JobsState = z.infer<typeof stateSchema>;

/**
 * Returns the state of a queue's jobs. If the database's clock was set back, resets the times of jobs and of the queue's maintenance to
 * now. Otherwise jobs, including those of a dead worker, would wait until the clock catches up.
 */
async function checkJobs(db: Db, queue: string): Promise<JobsState> {
  const ahead = `now() + interval '${MAX_QUEUE_DELAY_SECONDS} seconds'`;
  const { rows } = await db.executeSql(
    `WITH waiting AS (
       UPDATE pgboss.job SET start_after = now() WHERE name = $1 AND state < 'active' AND start_after > ${ahead}),
     at_work AS (
       UPDATE pgboss.job SET heartbeat_on = now(), started_on = now()
       WHERE name = $1 AND state = 'active' AND heartbeat_on > ${ahead}),
     upkeep AS (
       UPDATE pgboss.queue SET monitor_claim_on = now(), monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
       WHERE name = $1 AND greatest(monitor_claim_on, monitor_on, maintain_on) > ${ahead})
     SELECT EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state <= 'active') AS "isOpen",
       EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state < 'active' AND (start_after <= now() OR start_after > ${ahead})) AS "isDue",
       EXISTS (SELECT 1 FROM pgboss.job WHERE name = $1 AND state = 'active'
         AND heartbeat_on + heartbeat_seconds * interval '1 second' < now()) AS "isDead"`,
    [queue],
  );
  return stateSchema.parse(rows[0]);
}

/** Name of the only queue. A job contains only the run to perform. */
const QUEUE = 'runs';
/** Channel that notifies the workers of all processes about new jobs. */
const CHANNEL = 'hone_jobs';
/** Time without a heartbeat after which a job is considered dead and requeued, in seconds. */
const HEARTBEAT_SECONDS = 10;
const RETRIES = 1_000;
const RETRY_DELAY_SECONDS = 1;
const MAX_RETRY_DELAY_SECONDS = 30;
const MAX_JOB_SECONDS = 24 * 3600;
const KEEP_FAILED_SECONDS = 600;
/** Priority of deferred jobs. All others have 0. */
const DEFERRED_PRIORITY = -1;
/** Priority of runs that were begun and returned, or whose process is gone. They continue before other runs start. */
const BEGUN = 1;
/** Minimum number of prefetched jobs of a process with few slots, because each fetch sorts all waiting jobs. */
const MIN_PREFETCHED_JOBS = 16;
/**
 * Interval at which a worker checks the jobs while there are any, in milliseconds: for dead jobs, for retries, and for a clock set back.
 */
const LOOK_MS = 3_000;
/** Interval after a check that found dead jobs, in milliseconds. */
const SOON_MS = 1_000;
/** Interval while there are no jobs, in milliseconds. New jobs are announced. */
const QUIET_MS = 20_000;
/** Interval at which old failed jobs are deleted, in milliseconds. Finished jobs are deleted immediately. */
const UPKEEP_MS = 300_000;
/** Interval of unused pg-boss checks, in seconds: flows and background changes to its tables. */
const NEVER_SECONDS = 86_400;

/** A job without data. Its singleton key is the ID of its run. */
type RunJob = JobWithMetadata<null>;

const runIdOf = ({ singletonKey }: RunJob) => singletonKey ?? '';

type WorkOptions = {
  leftOver?: (runIds: string[]) => Promise<string[]>;
  isAlone?: () => Promise<boolean>;
};

export type Queue = {
  /** Enqueues a job for each run without a waiting one, as part of `transaction` if given. */
  enqueue(runIds: string[], transaction?: Transaction): Promise<void>;
  /**
   * Performs runs, at most `slots` at a time, until `stop`. Finished jobs are settled in batches. `leftOver` returns the runs to enqueue
   * again. While this process `isAlone`, it also prefetches jobs for the next free slots.
   */
  work(slots: number, perform: PerformQueued, options?: WorkOptions): Promise<void>;
  /** Number of runs that this process is performing. */
  busy(): number;
  /** Permanently stops fetching jobs. Jobs being performed get `limitMs` to finish and are then returned to the queue. */
  rest(limitMs: number): Promise<void>;
  /** Like `rest`, but then closes the queue. */
  stop(limitMs: number): Promise<void>;
  /** Delays the unstarted jobs of these runs by `seconds`. After that they run only while the process has no other jobs. */
  putOff(runIds: string[], seconds: number): Promise<void>;
  /** Enqueues the runs of a process that is gone again, as part of the transaction. */
  sendAnew(runIds: string[], transaction: Transaction): Promise<void>;
  /** Deletes all jobs, including those of a dead predecessor, and enqueues these runs. Safe only for the only process on its database. */
  takeOver(runIds: string[]): Promise<void>;
};

/** Opens the queue on the database and creates missing tables. */
export async function openQueue(connectionString: string, onError: (error: Error) => void): Promise<Queue> {
  const boss = await startBoss(connectionString, onError);
  let dispatcher: Dispatcher | null = null;
  let looking: { close(): Promise<void>; soon(): void } | undefined;
  let listening: { close(): Promise<void> } | undefined;
  const enqueue: Queue['enqueue'] = (runIds, transaction) => send(runIds, 0, transaction);
  async function send(runIds: string[], priority: number, transaction?: Transaction): Promise<void> {
    const jobs = runIds.map((runId) => ({ singletonKey: runId, priority }));
    if (jobs.length === 0) return;
    const db = transaction === undefined ? boss.getDb() : fromPrisma(transaction);
    await boss.insert(QUEUE, jobs, { db });
    await db.executeSql(`SELECT pg_notify('${CHANNEL}', '')::text`);
  }
  async function rest(limitMs: number): Promise<void> {
    await looking?.close();
    await dispatcher?.stop(limitMs);
    await listening?.close();
    listening = undefined;
  }
  return {
    enqueue,
    work: async (slots, perform, { leftOver = async () => [], isAlone = async () => false } = {}) => {
      const sendBegun = (runIds: string[]) => send(runIds, BEGUN);
      const source = createJobSource(boss, { enqueue, sendBegun, leftOver, onFailed: () => looking?.soon() });
      // A job that seems dead is enqueued again, and a clock set forward makes all jobs seem dead. The same run must not be performed twice
      // at once.
      const performInTurn = inTurn(perform);
      const report = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)));
      const ahead = async () => ((await isAlone()) ? Math.max(slots, MIN_PREFETCHED_JOBS) : 0);
      const started = dispatchJobs(
        source,
        { slots, ahead },
        (job, freeSlot) => performInTurn(runIdOf(job), freeSlot),
        report,
      );
      dispatcher = started;
      const looks = startJobChecks(boss, started.wake, report);
      looking = looks;
      const wake = () => {
        looks.soon();
        started.wake();
      };
      listening = await boss.getDb().listen?.(CHANNEL, wake, wake);
    },
    busy: () => dispatcher?.busy() ?? 0,
    rest,
    stop: async (limitMs) => {
      await rest(limitMs);
      await boss.stop({ graceful: true, timeout: 1_000, close: true });
    },
    putOff: async (runIds, seconds) => {
      await boss.getDb().executeSql(
        `UPDATE pgboss.job SET priority = ${DEFERRED_PRIORITY}, start_after = now() + $2 * interval '1 second'
         WHERE name = $1 AND state < 'active' AND singleton_key = ANY ($3::text[])`,
        [QUEUE, seconds, runIds],
      );
    },
    sendAnew: async (runIds, transaction) => {
      if (runIds.length === 0) return;
      await deleteJobs(transaction, { queue: QUEUE, begun: true }, runIds);
      await send(runIds, BEGUN, transaction);
    },
    takeOver: async (runIds) => {
      await boss.deleteAllJobs(QUEUE);
      const jobs = runIds.map((runId) => ({ singletonKey: runId }));
      if (jobs.length > 0) await boss.insert(QUEUE, jobs);
    },
  };
}

/** Creates missing tables and the queue, and returns the started client. */
async function startBoss(connectionString: string, onError: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: sessionAddress(connectionString),
    application_name: 'hone-queue',
    max: 6,
    // pg-boss's supervision takes eight statements each time, so `look` calls it only when needed.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: UPKEEP_MS / 1_000,
    flowIntervalSeconds: NEVER_SECONDS,
    bamIntervalSeconds: NEVER_SECONDS,
    // The tables are small and PostgreSQL's autovacuum maintains them, so monitoring costs more than it gains.
    monitorVacuum: false,
  });
  // Some errors of pg-boss are plain objects with the members of the original error.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)));
  await boss.start();
  // Allows one waiting job per run. `stately` would also hold back a job while the run's last one is ending. It caches active jobs for up
  // to a minute, which would delay a person's decision.
  await boss.createQueue(QUEUE, {
    policy: 'short',
    retryLimit: RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_DELAY_SECONDS,
    expireInSeconds: MAX_JOB_SECONDS - 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_FAILED_SECONDS,
  });
  return boss;
}

type JobSourceOptions = Pick<Queue, 'enqueue'> &
  Required<Pick<WorkOptions, 'leftOver'>> & {
    /** Enqueues runs that continue before other runs start. */
    sendBegun(runIds: string[]): Promise<void>;
    /** Called when a failed job will be retried. */
    onFailed: () => void;
  };

function createJobSource(
  boss: PgBoss,
  { enqueue, sendBegun, leftOver, onFailed }: JobSourceOptions,
): JobSource<RunJob> {
  // Only with its metadata does a job have its singleton key.
  const fetchJobs = (most: number, priorities: { minPriority?: number; maxPriority?: number }) =>
    boss.fetch<null>(QUEUE, { batchSize: most, includeMetadata: true, ...priorities });
  return {
    fetch: (most: number) => fetchJobs(most, { minPriority: 0 }),
    fetchLater: (most: number) => fetchJobs(most, { maxPriority: DEFERRED_PRIORITY }),
    complete: async (jobs: RunJob[]) => {
      // Enqueued before the old jobs are settled, so that a crash in between loses nothing.
      await enqueue(await leftOver(jobs.map(runIdOf)));
      await boss.deleteJob(QUEUE, jobs);
    },
    fail: async (job: RunJob, error: unknown) => {
      if (!(error instanceof ReturnedJobError)) {
        onFailed();
        return boss.fail(QUEUE, job, error instanceof Error ? error : { value: error });
      }
      // It can continue at once. A failed job would wait for its retry.
      await sendBegun([runIdOf(job)]);
      return boss.deleteJob(QUEUE, job);
    },
    keepAlive: (jobs: RunJob[]) => boss.touch(QUEUE, jobs),
  };
}

/** Checks the jobs periodically, and wakes the worker for retries because they are not announced. */
function startJobChecks(boss: PgBoss, wake: () => void, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let isClosed = false;
  let isQuiet = false;
  let isStirred = false;
  let tendedAt = Number.NEGATIVE_INFINITY;
  const detectGap = detectGaps();

  async function look(): Promise<number> {
    isStirred = false;
    isQuiet = false;
    const { isOpen, isDue, isDead }: JobsState = await checkJobs(boss.getDb(), QUEUE);
    const isAfterGap = detectGap(isDead ? SOON_MS : isOpen ? LOOK_MS : QUIET_MS);
    const isUpkeepDue = !isAfterGap && performance.now() - tendedAt >= UPKEEP_MS;
    if ((isDead && !isAfterGap) || isUpkeepDue) await boss.supervise(QUEUE);
    if (isUpkeepDue) tendedAt = performance.now();
    if (isDue) wake();
    // Jobs that arrived during the check may have been missed.
    isQuiet = !isOpen && !isStirred;
    return isDead ? SOON_MS : isQuiet ? QUIET_MS : LOOK_MS;
  }

  function later(delayMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      underWay = look()
        .catch((error: unknown) => {
          onError(error);
          return LOOK_MS;
        })
        .then(later);
    }, delayMs).unref();
  }

  later(LOOK_MS);
  return {
    /** Schedules an earlier check because there are jobs. */
    soon: () => {
      isStirred = true;
      if (isQuiet) later(LOOK_MS);
      isQuiet = false;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await underWay;
    },
  };
}
