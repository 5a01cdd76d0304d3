import { Gauge, Registry } from 'prom-client';
import { z } from 'zod';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-record.ts';
import type { Database } from '#lib/database/database.ts';
import { livingProcesses } from '#lib/queue/app-processes.ts';
import { countCalls } from './count-calls.ts';
import { instruments } from './instruments.ts';

export type QueueFacts = {
  /** Jobs that may begin now. */
  ready: number;
  /** Jobs that failed and are tried again later. */
  later: number;
  active: number;
  /** How long the oldest job that may begin has waited, in seconds; 0 where there is none. */
  oldestSeconds: number;
};

/** How many runs are in each status. */
async function countRunsByStatus(database: Database): Promise<Record<RunStatus, number>> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'SELECT status, count(*)::int AS runs FROM runs GROUP BY status',
  );
  const counted = z.array(z.object({ status: z.enum(RUN_STATUSES), runs: z.int() })).parse(rows);
  const counts: Record<RunStatus, number> = { queued: 0, running: 0, waiting: 0, finished: 0, failed: 0, stopped: 0 };
  for (const { status, runs } of counted) counts[status] = runs;
  return counts;
}

const queueRow = z.object({ ready: z.int(), later: z.int(), active: z.int(), oldestSeconds: z.number() });

/** How the queue of runs stands, by the database's clock. */
export async function findQueueFacts(database: Database): Promise<QueueFacts> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT count(*) FILTER (WHERE state < 'active' AND start_after <= now())::int AS ready,
       count(*) FILTER (WHERE state < 'active' AND start_after > now())::int AS later,
       count(*) FILTER (WHERE state = 'active')::int AS active,
       greatest(0, coalesce(extract(epoch FROM now() - min(greatest(created_on, start_after)) FILTER (WHERE state < 'active' AND start_after <= now())), 0))::float8 AS "oldestSeconds"
     FROM pgboss.job WHERE name = 'runs' AND state <= 'active'`,
  );
  return queueRow.parse(rows[0]);
}

/**
 * All metrics in Prometheus' text format 0.0.4. What is said of runs, queue, worker slots and calls of models holds for all processes
 * on the database, so it is the same whichever of them is asked; requests, streams, event lag, the pool and the process are this one's.
 */
export async function writeMetrics(database: Database): Promise<{ contentType: string; text: string }> {
  const { registry } = instruments();
  const [runs, queue, processes] = await Promise.all([
    countRunsByStatus(database),
    findQueueFacts(database),
    livingProcesses(database),
    countCalls(database),
  ]);
  // Made anew each time: what is gone leaves no old value behind.
  const now = new Registry();
  const gauge = (name: string, help: string, values: [labels: Record<string, string>, value: number][]) => {
    const labelNames = Object.keys(values[0]?.[0] ?? {});
    const made = new Gauge({ registers: [now], name, help, labelNames });
    for (const [labels, value] of values) made.set(labels, value);
  };
  const slots = processes.reduce((sum, one) => sum + one.slots, 0);
  const busy = processes.reduce((sum, one) => sum + Math.min(one.busy, one.slots), 0);
  const { pool } = database;
  const memory = process.memoryUsage();
  gauge(
    'hone_runs',
    'Runs by status',
    Object.entries(runs).map(([status, count]) => [{ status }, count]),
  );
  gauge('hone_queue_jobs', 'Jobs of the queue', [
    [{ state: 'ready' }, queue.ready],
    [{ state: 'later' }, queue.later],
    [{ state: 'active' }, queue.active],
  ]);
  gauge('hone_queue_oldest_seconds', 'How long the oldest job that may begin has waited', [[{}, queue.oldestSeconds]]);
  gauge('hone_worker_slots', 'Places for runs, over all processes', [
    [{ state: 'busy' }, busy],
    [{ state: 'free' }, slots - busy],
  ]);
  gauge('hone_processes', 'Processes that were heard of in the last 30 seconds', [
    [{ kind: 'web' }, processes.filter(({ kind }) => kind === 'web').length],
    [{ kind: 'worker' }, processes.filter(({ kind }) => kind === 'worker').length],
  ]);
  gauge('hone_database_connections', "Connections of this process's pool", [
    [{ state: 'used' }, pool.totalCount - pool.idleCount],
    [{ state: 'idle' }, pool.idleCount],
  ]);
  gauge('hone_database_waiting', 'Questions that wait for a connection of the pool', [[{}, pool.waitingCount]]);
  gauge('hone_process_memory_bytes', 'Resident memory of this process', [[{}, memory.rss]]);
  gauge('hone_process_uptime_seconds', 'How long this process has run', [[{}, process.uptime()]]);
  return { contentType: registry.contentType, text: `${await now.metrics()}\n${await registry.metrics()}` };
}

type ReadEvents<Event> = (afterNumber: number, limit: number) => Promise<Event[]>;

/**
 * The same reads of one follower, measured: how old each event is when it is read, once the follower had caught up with what was there
 * before they came.
 */
export function measureLag<Event extends { at: string }>(read: ReadEvents<Event>): ReadEvents<Event> {
  let hasCaughtUp = false;
  return async (afterNumber, limit) => {
    const events = await read(afterNumber, limit);
    const now = Date.now();
    if (hasCaughtUp)
      for (const { at } of events) instruments().eventLagSeconds.observe(Math.max(0, now - Date.parse(at)) / 1_000);
    if (events.length === 0) hasCaughtUp = true;
    return events;
  };
}
