import { Gauge, Registry } from 'prom-client';
import type { Database } from '#lib/database/database.ts';
import { livingProcesses } from '#lib/queue/app-processes.ts';
import { countCalls } from './count-calls.ts';
import { instruments } from './instruments.ts';
import { countRunsByStatus, findQueueFacts } from './queries.ts';

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
    runs.map(([status, count]) => [{ status }, count]),
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
