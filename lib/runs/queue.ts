import type pg from 'pg';
import { type Db, type Job, PgBoss } from 'pg-boss';
import { type Dispatcher, dispatchJobs } from './dispatch-jobs.ts';
import { inTurn } from './in-turn.ts';
import { pullBackTimes } from './pull-back-times.ts';
import { WorkerStops } from './worker-stops.ts';

/** The one queue: a job says only "perform this run". */
const QUEUE = 'runs';
/** Tells the workers of all processes that there are new jobs. */
const CHANNEL = 'hone_jobs';
/** A job nobody keeps alive for this long is taken for dead and sent again, in seconds. */
const HEARTBEAT_SECONDS = 10;
/** How often it is looked for dead jobs, in seconds. */
const SUPERVISE_SECONDS = 2;
const RETRIES = 1_000;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 30;
const LONGEST_JOB_SECONDS = 24 * 3600;
const KEEP_DONE_SECONDS = 600;
/** How often a worker looks whether the clock was put back, in milliseconds. */
const CLOCK_LOOK_MS = 5_000;

type RunJob = Job<{ runId: string }>;

export type Queue = {
  /** Sends a job for each run that has none waiting; with `client`, as part of its transaction. */
  enqueue(runIds: string[], client?: pg.PoolClient): Promise<void>;
  /**
   * Performs runs, at most `slots` at a time, until `stop`. A slot that is free asks for the next run at once. Runs that are done are
   * settled together now and then; `leftOver` says which of them are to be sent again.
   */
  work(
    slots: number,
    perform: (runId: string) => Promise<void>,
    leftOver?: (runIds: string[]) => Promise<string[]>,
  ): Promise<void>;
  /** How many runs this process performs at the moment. */
  busy(): number;
  /** Takes no more jobs, for good; those at work are given `limitMs` to come to a good end, then they are given back. */
  rest(limitMs: number): Promise<void>;
  /** As `rest`, and then closes the queue. */
  stop(limitMs: number): Promise<void>;
  /** Sends anew what a process that is gone had under way, as part of the client's transaction. */
  sendAnew(runIds: string[], client: pg.PoolClient): Promise<void>;
  /** Fails what a dead predecessor had under way and sends these runs again. Only for the one process on its database. */
  takeOver(runIds: string[], database: { query: pg.Pool['query'] }): Promise<void>;
};

/** Opens the queue on the database; its tables are made when they are missing. */
export async function openQueue(
  connectionString: string,
  onError: (error: Error) => void,
  options: { worker: boolean },
): Promise<Queue> {
  const boss = new PgBoss({
    connectionString,
    application_name: 'hone-queue',
    max: 6,
    supervise: options.worker,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
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
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  });
  let dispatcher: Dispatcher | null = null;
  let clockLook: NodeJS.Timeout | undefined;
  let listening: { close(): Promise<void> } | undefined;
  const enqueue: Queue['enqueue'] = async (runIds, client) => {
    const jobs = runIds.map((runId) => ({ data: { runId }, singletonKey: runId }));
    if (jobs.length === 0) return;
    const db = client === undefined ? boss.getDb() : onClient(client);
    await boss.insert(QUEUE, jobs, { db });
    await db.executeSql(`SELECT pg_notify('${CHANNEL}', '')`);
  };
  async function rest(limitMs: number): Promise<void> {
    clearInterval(clockLook);
    await dispatcher?.stop(limitMs);
    await listening?.close();
    listening = undefined;
  }
  return {
    enqueue,
    work: async (slots, perform, leftOver = async () => []) => {
      const source = {
        fetch: (most: number) => boss.fetch<{ runId: string }>(QUEUE, { batchSize: most }),
        complete: async (jobs: RunJob[]) => {
          // Sent before they are settled: a kill in between loses nothing.
          await enqueue(await leftOver(jobs.map(({ data }) => data.runId)));
          await boss.complete(QUEUE, jobs);
        },
        fail: async (job: RunJob, error: unknown) => {
          if (!(error instanceof WorkerStops))
            return boss.fail(QUEUE, job, error instanceof Error ? error : { value: error });
          // Another worker goes on at once: a failed job would wait for its next try.
          await enqueue([job.data.runId]);
          return boss.complete(QUEUE, job);
        },
        keepAlive: (jobs: RunJob[]) => boss.touch(QUEUE, jobs),
      };
      // A job that seems dead is sent again, and a clock put forward makes all seem so: the run is not begun beside itself.
      const performInTurn = inTurn(perform);
      const report = (error: unknown) => onError(error instanceof Error ? error : new Error(String(error)));
      const started = dispatchJobs(source, slots, (job) => performInTurn(job.data.runId), report);
      dispatcher = started;
      clockLook = setInterval(() => {
        pullBackTimes(boss.getDb(), QUEUE).catch(report);
      }, CLOCK_LOOK_MS);
      clockLook.unref();
      listening = await boss.getDb().listen?.(CHANNEL, started.wake, started.wake);
    },
    busy: () => dispatcher?.busy() ?? 0,
    rest,
    stop: async (limitMs) => {
      await rest(limitMs);
      await boss.stop({ graceful: true, timeout: 1_000, close: true });
    },
    sendAnew: async (runIds, client) => {
      if (runIds.length === 0) return;
      await client.query(
        "DELETE FROM pgboss.job WHERE name = $1 AND state = 'active' AND singleton_key = ANY ($2::text[])",
        [QUEUE, runIds],
      );
      await enqueue(runIds, client);
    },
    takeOver: async (runIds, database) => {
      await database.query(`DELETE FROM pgboss.job WHERE name = $1 AND state IN ('active', 'retry', 'created')`, [
        QUEUE,
      ]);
      const jobs = runIds.map((runId) => ({ data: { runId }, singletonKey: runId }));
      if (jobs.length > 0) await boss.insert(QUEUE, jobs);
    },
  };
}

function onClient(client: pg.PoolClient): Db {
  return { executeSql: (text, values) => client.query(text, values) };
}
