import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { launchApp, makeTemporaryFolder } from '../start-app.ts';
import { startBenchChild } from './bench-child.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { fillDatabase } from './fill-database.ts';
import { CALLS_PER_RUN } from './loop-task.ts';
import { type Measure, median } from './measure.ts';
import { type PostgresUse, readPostgresUse } from './postgres-use.ts';
import { prepareBatches, waitForEnd } from './worker-batches.ts';

const SLOTS = [1, 4, 16, 64] as const;
const CALL_MS = 50;
const RUNS = 200;
/** Duration of the idle measurement, in milliseconds. */
const IDLE_MS = 20_000;
/** Time for work after the runs, such as completing jobs and indexing texts. */
const AFTER_MS = 5_000;
/** Maximum cost of a run with any number of slots, relative to one slot. Concurrent runs share commits, so it may be below 1. */
const MOST_OF_ONE = 1.2;

type Cost = { commits: number; cpuMs: number };
/**
 * Database cost per run from start to end of the batch. `perRun` excludes idle cost, which is `idle` per second and `background` for the
 * time of a run.
 */
type Figures = {
  slots: number;
  gross: Cost;
  perRun: Cost;
  idle: Cost;
  background: Cost;
  elapsedMs: number;
};

export type SlotsOptions = {
  /** A copy of a Hone data directory, which is modified. null fills a new one with 10,000 runs. */
  dataFolder: string | null;
  repeats: number;
};

/** Compares the database cost of the same batch with few and many slots, on a database as after long use. */
export async function slotsBench(
  { dataFolder, repeats }: SlotsOptions,
  log: (line: string) => void,
): Promise<Measure[]> {
  const parentFolder = makeTemporaryFolder();
  const folder = dataFolder ?? path.join(parentFolder, 'data');
  const { connectionString, processId, stop } = await startBenchPostgres(folder);
  const canned = await startBenchChild('canned-server.ts', null);
  try {
    await prepare(connectionString, { isEmpty: dataFolder === null });
    log('the database is filled');
    const { port } = z.object({ port: z.int() }).parse(canned.answer);
    const baseUrl = `http://127.0.0.1:${port}/${CALL_MS}/v1`;
    const found: Figures[] = [];
    for (let round = 1; round <= repeats; round++)
      for (const slots of SLOTS) {
        const use = () => readPostgresUse(connectionString, processId);
        const figures = await measureSlots({ connectionString, baseUrl, slots, use });
        found.push(figures);
        log(
          `round ${round} of ${repeats}, ${slots} slots: ${formatCost(figures.gross)} a run in ${(figures.elapsedMs / 1_000).toFixed(0)} s, ${formatCost(figures.perRun)} beyond idle; idle ${formatCost(figures.idle)} a second`,
        );
      }
    return measuresOf(found);
  } finally {
    await canned.end();
    await stop();
    rmSync(parentFolder, { recursive: true, force: true });
  }
}

async function prepare(connectionString: string, { isEmpty }: { isEmpty: boolean }): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    if (isEmpty) await fillDatabase(client);
    // Removes the fingerprint, because the benchmark workers use a different secret.
    await client.query("DELETE FROM installation_settings WHERE key = 'secret_fingerprint'");
  } finally {
    await client.end();
  }
}

type Setup = { connectionString: string; baseUrl: string; slots: number; use: () => Promise<PostgresUse> };

/** Uses a real worker process. Runs are started from here, so that no page request adds to the cost. */
async function measureSlots({ connectionString, baseUrl, slots, use }: Setup): Promise<Figures> {
  const env = {
    DATABASE_URL: connectionString,
    HONE_SECRET: 'a secret for the bench',
    HONE_WORKER_SLOTS: String(slots),
  };
  const worker = await launchApp({ flags: ['--worker'], env });
  const database = openDatabase(connectionString);
  try {
    await worker.waitForOutput(/ready to perform /, 150_000);
    const runBatch = await prepareBatches(database, connectionString, baseUrl);
    // Excludes the sample runs of the first start and the first uses of prepared statements, which are planned again each time.
    await waitForEnd(database);
    await runBatch(10);
    await sleep(AFTER_MS);
    const first = await use();
    await sleep(IDLE_MS);
    const before = await use();
    const startedMs = performance.now();
    const looks = await runBatch(RUNS);
    const elapsedMs = performance.now() - startedMs;
    const ended = await use();
    await sleep(AFTER_MS);
    const after = await use();
    const idle = costBetween(first, before, (before.atMs - first.atMs) / 1_000);
    const gross = costBetween(before, ended, RUNS);
    const all = costBetween(before, after, 1);
    const seconds = (after.atMs - before.atMs) / 1_000;
    const perRun = {
      commits: (all.commits - looks - idle.commits * seconds) / RUNS,
      cpuMs: (all.cpuMs - idle.cpuMs * seconds) / RUNS,
    };
    const background = { commits: (idle.commits * seconds) / RUNS, cpuMs: (idle.cpuMs * seconds) / RUNS };
    return { slots, gross, perRun, idle, background, elapsedMs };
  } finally {
    await closeDatabase(database);
    await worker.stop();
  }
}

function costBetween(one: PostgresUse, other: PostgresUse, parts: number): Cost {
  return { commits: (other.commits - one.commits) / parts, cpuMs: (other.cpuMs - one.cpuMs) / parts };
}

function formatCost({ commits, cpuMs }: Cost): string {
  return `${commits.toFixed(1)} commits and ${cpuMs.toFixed(1)} ms`;
}

function measuresOf(found: readonly Figures[]): Measure[] {
  const of = (slots: number, figure: (figures: Figures) => number) =>
    found.filter((figures) => figures.slots === slots).map(figure);
  const measure = (name: string, unit: Measure['unit'], samples: number[]): Measure => ({
    ...{ part: 'slots', name, unit, value: median(samples), samples },
    ...{ floor: null, ratio: null, wanted: null },
  });
  const most = (name: string, unit: Measure['unit'], figure: (figures: Figures) => number): Measure => {
    const medians = SLOTS.map((slots) => median(of(slots, figure)));
    const value = Math.max(...medians);
    const floor = median(of(1, figure));
    const wanted = { of: 'ratio', atMost: MOST_OF_ONE } as const;
    return { part: 'slots', name, unit, value, floor, ratio: value / floor, wanted, samples: medians };
  };
  return [
    ...SLOTS.flatMap((slots) => [
      measure(
        `commits a run of ${CALLS_PER_RUN} calls of ${CALL_MS} ms beyond idle, ${slots} slots`,
        'commits',
        of(slots, ({ perRun }) => perRun.commits),
      ),
      measure(
        `database time a run beyond idle, ${slots} slots`,
        'ms',
        of(slots, ({ perRun }) => perRun.cpuMs),
      ),
      measure(
        `database time in the background in the time of a run, ${slots} slots`,
        'ms',
        of(slots, ({ background }) => background.cpuMs),
      ),
      measure(
        `commits a run in all, ${slots} slots`,
        'commits',
        of(slots, ({ gross }) => gross.commits),
      ),
      measure(
        `database time a run in all, ${slots} slots`,
        'ms',
        of(slots, ({ gross }) => gross.cpuMs),
      ),
      measure(
        `commits a second when idle, ${slots} slots`,
        'commits',
        of(slots, ({ idle }) => idle.commits),
      ),
      measure(
        `database time a second when idle, ${slots} slots`,
        'ms',
        of(slots, ({ idle }) => idle.cpuMs),
      ),
    ]),
    most('commits a run beyond idle, most against one slot', 'commits', ({ perRun }) => perRun.commits),
    most('database time a run beyond idle, most against one slot', 'ms', ({ perRun }) => perRun.cpuMs),
  ];
}
