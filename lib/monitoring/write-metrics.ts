import { Gauge, Registry } from 'prom-client';
import type { Database } from '#lib/database/database.ts';
import { listLiveProcesses } from '#lib/queue/queries.ts';
import { instruments } from './instruments.ts';
import { countRunsByStatus, findQueueFacts, settledCalls } from './queries.ts';

/**
 * Returns all metrics in Prometheus' text format 0.0.4. Metrics of runs, queue, worker slots and model calls cover all processes on the
 * database, so every process reports the same. Requests, streams, event lag, pool and process metrics cover only this process.
 */
export async function writeMetrics(database: Database): Promise<{ contentType: string; text: string }> {
  const { registry } = instruments();
  const [runs, queue, processes] = await Promise.all([
    countRunsByStatus(database),
    findQueueFacts(database),
    listLiveProcesses(database),
    countCalls(database),
  ]);
  // Recreated on each request so that no stale values remain.
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
  gauge('hone_worker_slots', 'Run slots of all processes', [
    [{ state: 'busy' }, busy],
    [{ state: 'free' }, slots - busy],
  ]);
  gauge('hone_processes', 'Processes with a heartbeat in the last 30 seconds', [
    [{ kind: 'web' }, processes.filter(({ kind }) => kind === 'web').length],
    [{ kind: 'worker' }, processes.filter(({ kind }) => kind === 'worker').length],
  ]);
  gauge('hone_database_connections', "Connections of this process's pool", [
    [{ state: 'used' }, pool.totalCount - pool.idleCount],
    [{ state: 'idle' }, pool.idleCount],
  ]);
  gauge('hone_database_waiting', 'Queries that wait for a connection of the pool', [[{}, pool.waitingCount]]);
  gauge('hone_process_memory_bytes', 'Resident memory of this process', [[{}, memory.rss]]);
  gauge('hone_process_uptime_seconds', 'Uptime of this process', [[{}, process.uptime()]]);
  return { contentType: registry.contentType, text: `${await now.metrics()}\n${await registry.metrics()}` };
}

type ReadEvents<Event> = (afterNumber: number, limit: number) => Promise<Event[]>;

/**
 * Wraps the reads of one follower to measure the age of each event when it is read. Measuring starts after the follower has read all
 * earlier events.
 */
export function measureLag<Event extends { at: Date }>(read: ReadEvents<Event>): ReadEvents<Event> {
  let hasCaughtUp = false;
  return async (afterNumber, limit) => {
    const events = await read(afterNumber, limit);
    const now = Date.now();
    if (hasCaughtUp)
      for (const { at } of events) instruments().eventLagSeconds.observe(Math.max(0, now - at.getTime()) / 1_000);
    if (events.length === 0) hasCaughtUp = true;
    return events;
  };
}

const PAGE = 5_000;
/** Maximum number of pages counted at once. The rest is counted next time. */
const MAX_PAGES = 20;
/** Maximum number of models with their own labels. The others are counted together as `other`. */
const MAX_MODELS = 50;
const MAX_NAME_LENGTH = 100;

type CounterState = { afterId: number | null; named: Set<string>; underWay: Promise<void> | null };

declare global {
  // Two metrics routes, each a separate module instance, share this one counter.
  var honeCountedCalls: CounterState | undefined;
}

/** Updates the call counters with calls of all processes since this process was first asked for metrics. */
async function countCalls(database: Database): Promise<void> {
  globalThis.honeCountedCalls ??= { afterId: null, named: new Set(), underWay: null };
  const state = globalThis.honeCountedCalls;
  state.underWay ??= countOn(database, state).finally(() => {
    state.underWay = null;
  });
  await state.underWay;
}

async function countOn(database: Database, state: CounterState): Promise<void> {
  if (state.afterId === null) {
    state.afterId = (await settledCalls(database, null, 1))[0]?.id ?? 0;
    return;
  }
  const { calls, tokens, costUsd, unpricedCalls, callSeconds } = instruments();
  for (let page = 0; page < MAX_PAGES; page++) {
    const rows = await settledCalls(database, state.afterId, PAGE);
    for (const row of rows) {
      const of = labelsOf(state.named, row);
      calls.inc({ ...of, outcome: row.failed ?? 'answered' });
      tokens.inc({ ...of, direction: 'input' }, row.inputTokens);
      tokens.inc({ ...of, direction: 'output' }, row.outputTokens);
      if (row.costUsd === null) unpricedCalls.inc(of);
      else costUsd.inc(of, row.costUsd);
      callSeconds.observe(of, row.latencyMs / 1_000);
      state.afterId = row.id;
    }
    if (rows.length < PAGE) return;
  }
}

function labelsOf(named: Set<string>, row: { provider: string; model: string }): { provider: string; model: string } {
  const [provider, model] = [row.provider.slice(0, MAX_NAME_LENGTH), row.model.slice(0, MAX_NAME_LENGTH)];
  const key = JSON.stringify([provider, model]);
  if (!named.has(key) && named.size >= MAX_MODELS) return { provider: 'other', model: 'other' };
  named.add(key);
  return { provider, model };
}
