import { type Db, fromPrisma, type Job, PgBoss } from 'pg-boss';
import { z } from 'zod';
import type { Transaction } from '#lib/database/transactions.ts';
import { type Dispatcher, dispatchJobs, WorkerStops } from './dispatch-jobs.ts';
import { deleteJobs } from './queries.ts';

/** As `perform`, but of one run at a time: a second call for a run waits until the first has ended, well or not. */
function inTurn(perform: (runId: string) => Promise<void>): (runId: string) => Promise<void> {
  const last = new Map<string, Promise<void>>();
  return async (runId) => {
    const before = last.get(runId);
    const own = (before ?? Promise.resolve()).catch(() => undefined).then(() => perform(runId));
    last.set(runId, own);
    try {
      await own;
    } finally {
      if (last.get(runId) === own) last.delete(runId);
    }
  };
}

/** Nothing of the queue is ever put off by more than this, in seconds; what lies further ahead was written before the clock was put back. */
const FURTHEST_AHEAD_SECONDS = 60;

const stateSchema = z.object({ isOpen: z.boolean(), isDue: z.boolean(), isDead: z.boolean() });

/** Of a queue's jobs: whether any is not done, whether one may be begun now, and whether one was taken that nobody keeps alive. */
type JobsState = z.infer<typeof stateSchema>;

/**
 * Looks at a queue's jobs. After the database's clock was put back it brings their times, and those of the queue's own upkeep, back to
 * now. Else jobs would wait until the clock is where it was, and those of a dead worker with them.
 */
async function lookAtJobs(db: Db, queue: string): Promise<JobsState> {
  const ahead = `now() + interval '${FURTHEST_AHEAD_SECONDS} seconds'`;
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

/** The one queue: a job says only "perform this run". */
const QUEUE = 'runs';
/** Tells the workers of all processes that there are new jobs. */
const CHANNEL = 'hone_jobs';
/** A job nobody keeps alive for this long is taken for dead and sent again, in seconds. */
const HEARTBEAT_SECONDS = 10;
const RETRIES = 1_000;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 30;
const LONGEST_JOB_SECONDS = 24 * 3600;
const KEEP_FAILED_SECONDS = 600;
/** The priority of jobs that were put off; that of all others is 0. */
const PUT_OFF = -1;
/** The priority of runs that a process had begun which is gone: they go on before others begin. */
const BEGUN = 1;
/** How many jobs a process with few slots holds ready: each fetch sorts all jobs that wait. */
const FEWEST_READY = 16;
/** How often a worker looks at the jobs while there are any, in milliseconds: for dead ones, for those that come back, and whether the clock was put back. */
const LOOK_MS = 3_000;
/** The same after a look that found something to do. */
const SOON_MS = 1_000;
/** The same while there are none: new jobs are announced. */
const QUIET_MS = 20_000;
/** How often jobs that failed for good long ago are deleted, in milliseconds. Those that are done are deleted at once. */
const UPKEEP_MS = 300_000;
/** What pg-boss looks for on its own account, and nobody here uses: flows, and changes to its tables in the background. */
const NEVER_SECONDS = 86_400;

type RunJob = Job<{ runId: string }>;

type WorkOptions = {
  leftOver?: (runIds: string[]) => Promise<string[]>;
  isAlone?: () => Promise<boolean>;
};

export type Queue = {
  /** Sends a job for each run that has none waiting; with `transaction`, as part of it. */
  enqueue(runIds: string[], transaction?: Transaction): Promise<void>;
  /**
   * Performs runs, at most `slots` at a time, until `stop`. Runs that are done are settled together now and then; `leftOver` says which of
   * them are to be sent again. While this process `isAlone` it also holds jobs ready for the slots that get free next.
   */
  work(slots: number, perform: (runId: string) => Promise<void>, options?: WorkOptions): Promise<void>;
  /** How many runs this process performs at the moment. */
  busy(): number;
  /** Takes no more jobs, for good; those at work are given `limitMs` to come to a good end, then they are given back. */
  rest(limitMs: number): Promise<void>;
  /** As `rest`, and then closes the queue. */
  stop(limitMs: number): Promise<void>;
  /** Lets the jobs of these runs that nobody has begun wait for `seconds`, and then until the process has nothing else to do. */
  putOff(runIds: string[], seconds: number): Promise<void>;
  /** Sends anew what a process that is gone had under way, as part of the transaction. */
  sendAnew(runIds: string[], transaction: Transaction): Promise<void>;
  /** Fails what a dead predecessor had under way and sends these runs again. Only for the one process on its database. */
  takeOver(runIds: string[]): Promise<void>;
};

/** Opens the queue on the database; its tables are made when they are missing. */
export async function openQueue(connectionString: string, onError: (error: Error) => void): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    application_name: 'hone-queue',
    max: 6,
    // Its own supervision takes eight statements each time: `look` asks for it when there is something to supervise.
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: UPKEEP_MS / 1_000,
    flowIntervalSeconds: NEVER_SECONDS,
    bamIntervalSeconds: NEVER_SECONDS,
    // Its tables are small, and PostgreSQL's own upkeep sees to them: looking costs more than it finds.
    monitorVacuum: false,
  });
  boss.on('error', onError);
  await boss.start();
  // One waiting job a run. `stately` would also hold a job back while the run's last one is being ended, by what it remembers
  // of the jobs at work for up to a minute: a person's decision would wait for that long.
  await boss.createQueue(QUEUE, {
    policy: 'short',
    retryLimit: RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
    expireInSeconds: LONGEST_JOB_SECONDS - 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_FAILED_SECONDS,
  });
  let dispatcher: Dispatcher | null = null;
  let looking: { close(): Promise<void>; soon(): void } | undefined;
  let listening: { close(): Promise<void> } | undefined;
  const enqueue: Queue['enqueue'] = (runIds, transaction) => send(runIds, 0, transaction);
  async function send(runIds: string[], priority: number, transaction?: Transaction): Promise<void> {
    const jobs = runIds.map((runId) => ({ data: { runId }, singletonKey: runId, priority }));
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
      const source = {
        fetch: (most: number) => boss.fetch<{ runId: string }>(QUEUE, { batchSize: most, minPriority: 0 }),
        fetchLater: (most: number) => boss.fetch<{ runId: string }>(QUEUE, { batchSize: most, maxPriority: PUT_OFF }),
        complete: async (jobs: RunJob[]) => {
          // Sent before they are settled: a kill in between loses nothing.
          await enqueue(await leftOver(jobs.map(({ data }) => data.runId)));
          await boss.deleteJob(QUEUE, jobs);
        },
        fail: async (job: RunJob, error: unknown) => {
          if (!(error instanceof WorkerStops)) {
            looking?.soon();
            return boss.fail(QUEUE, job, error instanceof Error ? error : { value: error });
          }
          // Another worker goes on at once: a failed job would wait for its next try.
          await enqueue([job.data.runId]);
          return boss.deleteJob(QUEUE, job);
        },
        keepAlive: (jobs: RunJob[]) => boss.touch(QUEUE, jobs),
      };
      // A job that seems dead is sent again, and a clock put forward makes all seem so: the run is not begun beside itself.
      const performInTurn = inTurn(perform);
      const report = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)));
      const ahead = async () => ((await isAlone()) ? Math.max(slots, FEWEST_READY) : 0);
      const started = dispatchJobs(source, { slots, ahead }, (job) => performInTurn(job.data.runId), report);
      dispatcher = started;
      const looks = keepLooking(boss, started.wake, report);
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
      for (const singletonKey of runIds)
        await boss.update({ name: QUEUE, options: { singletonKey, priority: PUT_OFF, startAfter: seconds } });
    },
    sendAnew: async (runIds, transaction) => {
      if (runIds.length === 0) return;
      await deleteJobs(transaction, { queue: QUEUE, begun: true }, runIds);
      await send(runIds, BEGUN, transaction);
    },
    takeOver: async (runIds) => {
      await boss.deleteAllJobs(QUEUE);
      const jobs = runIds.map((runId) => ({ data: { runId }, singletonKey: runId }));
      if (jobs.length > 0) await boss.insert(QUEUE, jobs);
    },
  };
}

/** Looks at the jobs now and then, and wakes the worker for those that come back without an announcement. */
function keepLooking(boss: PgBoss, wake: () => void, onError: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<void> | null = null;
  let isClosed = false;
  let isQuiet = false;
  let isStirred = false;
  let tendedAt = Number.NEGATIVE_INFINITY;

  async function look(): Promise<number> {
    isStirred = false;
    isQuiet = false;
    const { isOpen, isDue, isDead }: JobsState = await lookAtJobs(boss.getDb(), QUEUE);
    const isUpkeepDue = performance.now() - tendedAt >= UPKEEP_MS;
    if (isDead || isUpkeepDue) await boss.supervise(QUEUE);
    if (isUpkeepDue) tendedAt = performance.now();
    if (isDue) wake();
    // What came meanwhile may not have been seen.
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
    /** There are jobs, so that the next look may not be far. */
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
