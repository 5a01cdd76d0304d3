import type pg from 'pg';
import { type Db, PgBoss } from 'pg-boss';

/** The one queue: a job says only "perform this run". */
const QUEUE = 'perform-run';
/** A job nobody keeps alive for this long is taken for dead and sent again, in seconds. */
const HEARTBEAT_SECONDS = 10;
const RETRIES = 1_000;
const RETRY_DELAY_SECONDS = 1;
const LONGEST_RETRY_DELAY_SECONDS = 30;
const LONGEST_JOB_SECONDS = 24 * 3600;
const KEEP_DONE_SECONDS = 600;

export type Queue = {
  /** Sends a job for each run that has none waiting; with `client`, as part of its transaction. */
  enqueue(runIds: string[], client?: pg.PoolClient): Promise<void>;
  /** Performs runs, at most `slots` at a time, until `stop`. A slot that is done asks for the next run at once. */
  work(slots: number, perform: (runId: string) => Promise<void>): Promise<void>;
  /** Takes no more jobs; those at work are given `limitMs` to come to a good end. */
  stop(limitMs: number): Promise<void>;
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
    useListenNotify: options.worker,
    supervise: options.worker,
    schedule: false,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
  });
  boss.on('error', onError);
  await boss.start();
  await boss.createQueue(QUEUE, {
    policy: 'stately',
    notify: true,
    retryLimit: RETRIES,
    retryDelay: RETRY_DELAY_SECONDS,
    retryBackoff: true,
    retryDelayMax: LONGEST_RETRY_DELAY_SECONDS,
    expireInSeconds: LONGEST_JOB_SECONDS - 1,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
  });
  return {
    enqueue: async (runIds, client) => {
      const jobs = runIds.map((runId) => ({ data: { runId }, singletonKey: runId }));
      if (jobs.length > 0) await boss.insert(QUEUE, jobs, client === undefined ? {} : { db: onClient(client) });
    },
    work: async (slots, perform) => {
      for (let slot = 0; slot < slots; slot++) {
        const polling = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 2 };
        const worker = boss.work<{ runId: string }>(QUEUE, { batchSize: 1, ...polling }, async (jobs) => {
          for (const job of jobs) await perform(job.data.runId).finally(async () => boss.notifyWorker(await worker));
        });
        await worker;
      }
    },
    stop: (limitMs) => boss.stop({ graceful: true, timeout: limitMs, close: true }),
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
