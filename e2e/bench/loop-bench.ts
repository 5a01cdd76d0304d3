import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startedSchema } from '#lib/api/experiments-schema.ts';
import { batchSchema, runsSchema } from '#lib/api/runs-schema.ts';
import { RUN_STATUSES } from '#lib/core/run-statuses.ts';
import { type Api, openApi } from '../api/open-api.ts';
import { createProvider } from '../create-provider.ts';
import { makeTemporaryFolder, startApp } from '../start-app.ts';
import { runBenchChild, startBenchChild } from './bench-child.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { bareFiguresSchema, taskOf, WORKLOADS, type Workload } from './loop-task.ts';
import { type Measure, median } from './measure.ts';
import { type PostgresUse, processCpuMs, readPostgresUse, spentBetween } from './postgres-use.ts';

const RUNS = 200;
const WARM_UP_RUNS = 40;
/** The latency of a call and the number of concurrent runs. */
const PACES = { slow: { latencyMs: 200, atOnce: 20 }, fast: { latencyMs: 0, atOnce: 1 } } as const;
type Pace = keyof typeof PACES;

/** Totals over all runs. `use` is the CPU time and data growth of the app's database. */
type Figures = { elapsedMs: number; cpuMs: number };
type Round = Record<Pace, { hone: Figures; bare: Figures; use: PostgresUse }>;

/**
 * Compares the whole app, driven over its API, with a bare loop that makes the same calls: elapsed time, CPU time of the app and the
 * database, and what a run writes. Uses the PostgreSQL that Hone starts.
 */
export async function loopBench(repeats: number, log: (line: string) => void): Promise<Measure[]> {
  const dataFolder = makeTemporaryFolder();
  const started = await startBenchPostgres(dataFolder);
  const canned = await startBenchChild('canned-server.ts', null);
  try {
    const { port } = z.object({ port: z.int() }).parse(canned.answer);
    const setup = { ...started, server: `http://127.0.0.1:${port}` };
    const rounds: Record<Workload, Round[]> = { retry: [], revise: [] };
    for (let round = 1; round <= repeats; round++) {
      const slow = await measurePace(setup, 'slow');
      const fast = await measurePace(setup, 'fast');
      for (const workload of ['retry', 'revise'] as const) {
        const made = { slow: slow[workload], fast: fast[workload] };
        rounds[workload].push(made);
        log(
          `round ${round} of ${repeats}, ${workload}: ${(made.slow.hone.elapsedMs / idealMs(workload)).toFixed(3)} × the ideal, ${(made.fast.hone.elapsedMs / made.fast.bare.elapsedMs).toFixed(2)} × bare at 0 ms`,
        );
      }
    }
    return [...measuresOf('retry', rounds.retry), ...measuresOf('revise', rounds.revise)];
  } finally {
    await canned.end();
    await started.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

type Setup = { connectionString: string; processId: number; server: string };

/** Measures both workloads at one pace. Starts a separate app with one slot per concurrent run. */
async function measurePace(setup: Setup, pace: Pace): Promise<Record<Workload, Round[Pace]>> {
  const { latencyMs, atOnce } = PACES[pace];
  const app = await startApp({
    env: {
      DATABASE_URL: setup.connectionString,
      HONE_SECRET: 'a secret for the bench',
      HONE_WORKER_SLOTS: String(atOnce),
    },
    readyWithinMs: 600_000,
  });
  try {
    const api = openApi(app.address);
    const measured = async (workload: Workload) => {
      await performBatch(api, setup, workload, 0, WARM_UP_RUNS);
      await settled(api);
      const before = await readPostgresUse(setup.connectionString, setup.processId);
      const cpuBefore = processCpuMs(app.processId);
      const startedMs = performance.now();
      await performBatch(api, setup, workload, latencyMs, RUNS);
      const elapsedMs = performance.now() - startedMs;
      const cpuMs = processCpuMs(app.processId) - cpuBefore;
      await settled(api);
      const use = spentBetween(before, await readPostgresUse(setup.connectionString, setup.processId));
      const urls = { warmUpUrl: `${setup.server}/0/v1`, measuredUrl: `${setup.server}/${latencyMs}/v1` };
      const bare = bareFiguresSchema.parse(
        await runBenchChild('bare-loop.ts', { workload, runs: RUNS, atOnce, ...urls }),
      );
      return { hone: { elapsedMs, cpuMs }, bare, use };
    };
    await settled(api);
    return { retry: await measured('retry'), revise: await measured('revise') };
  } finally {
    await app.stop();
  }
}

/** Waits until all runs, including those of the samples, have ended and the queue has completed their jobs. */
async function settled(api: Api): Promise<void> {
  const open = RUN_STATUSES.filter((status) => status === 'queued' || status === 'running');
  const isBusy = async () => {
    const pages = await Promise.all(open.map((status) => api.read(runsSchema, 'GET', `/api/v1/runs?status=${status}`)));
    return pages.some(({ items }) => items.length > 0);
  };
  while (await isBusy()) await sleep(500);
  await sleep(2_500);
}

async function createExperiment(api: Api, workload: Workload, baseUrl: string): Promise<string> {
  const provider = `p${Math.random().toString(36).slice(2, 10)}`;
  await createProvider(api, { name: provider, baseUrl });
  return api.createExperiment({
    ...WORKLOADS[workload].settings,
    name: `${workload} ${provider}`,
    generator: { provider, model: 'writer' },
    evaluatorModel: { provider, model: 'judge' },
    reflectionModel: { provider, model: 'critic' },
    criteria: [{ name: 'quality', evaluator: 'llm', description: 'Names its source.' }],
    qualityThreshold: 1,
    convergence: null,
    lessons: { store: 'none', write: 'off' },
  });
}

/** Runs a batch of a new experiment to its end. Polls the app only after the model server has answered all calls. */
async function performBatch(
  api: Api,
  setup: Setup,
  workload: Workload,
  latencyMs: number,
  runs: number,
): Promise<void> {
  const experimentId = await createExperiment(api, workload, `${setup.server}/${latencyMs}/v1`);
  const answered = async () => z.int().parse(await (await fetch(`${setup.server}/answered`)).json());
  const wanted = (await answered()) + runs * WORKLOADS[workload].calls.length;
  const cases = Array.from({ length: runs }, (_, run) => ({ input: taskOf(run) }));
  const { batchId } = await api.read(startedSchema, 'POST', `/api/v1/experiments/${experimentId}/runs`, { cases });
  while ((await answered()) < wanted) await sleep(20);
  for (;;) {
    const { status, counts } = await api.read(batchSchema, 'GET', `/api/v1/batches/${batchId}`);
    if (status === 'finished' && counts.finished === runs) return;
    if (status !== 'running') throw new Error(`the runs did not all end well: ${JSON.stringify(counts)}`);
    await sleep(20);
  }
}

function idealMs(workload: Workload): number {
  const { latencyMs, atOnce } = PACES.slow;
  return (RUNS * WORKLOADS[workload].calls.length * latencyMs) / atOnce;
}

function measuresOf(workload: Workload, rounds: Round[]): Measure[] {
  const calls = WORKLOADS[workload].calls.length;
  const measure = (
    name: string,
    unit: Measure['unit'],
    figure: (round: Round) => number,
    floor: ((round: Round) => number) | null,
    atMost: number | null,
  ): Measure => {
    const values = rounds.map(figure);
    const ratios = floor === null ? null : rounds.map((round) => figure(round) / floor(round));
    return {
      ...{ part: 'loop', name: `${workload}: ${name}`, unit, value: median(values) },
      floor: floor === null ? null : median(rounds.map(floor)),
      ratio: ratios === null ? null : median(ratios),
      wanted: atMost === null ? null : { of: ratios === null ? 'value' : 'ratio', atMost },
      samples: ratios ?? values,
    };
  };
  const { latencyMs, atOnce } = PACES.slow;
  /** The target applies to runs of six calls only. */
  const ofSix = (atMost: number) => (calls === 6 ? atMost : null);
  const perRun = (figure: (use: PostgresUse) => number) => (round: Round) => figure(round.slow.use) / RUNS;
  const perCall = (figures: Figures) => figures.elapsedMs / RUNS / calls;
  const cpuPerCall = (figures: Figures) => figures.cpuMs / RUNS / calls;
  return [
    measure(
      `${RUNS} runs × ${calls} calls of ${latencyMs} ms, ${atOnce} at a time, against the ideal`,
      'ms',
      ({ slow }) => slow.hone.elapsedMs,
      () => idealMs(workload),
      1.05,
    ),
    measure(
      'processor time of the app a call',
      'ms',
      ({ slow }) => cpuPerCall(slow.hone),
      ({ slow }) => cpuPerCall(slow.bare),
      1.3,
    ),
    measure(
      'processor time of the database a call',
      'ms',
      perRun(({ cpuMs }) => cpuMs / calls),
      null,
      0.8,
    ),
    measure(
      'rows a run',
      'rows',
      perRun(({ rows }) => rows),
      null,
      ofSix(15),
    ),
    measure(
      'storage a run',
      'KB',
      perRun(({ bytes }) => bytes / 1024),
      null,
      ofSix(12),
    ),
    measure(
      'transactions a run, reads too',
      'commits',
      perRun(({ commits }) => commits),
      null,
      8,
    ),
    measure(
      'a call of 0 ms, one run at a time',
      'ms',
      ({ fast }) => perCall(fast.hone),
      ({ fast }) => perCall(fast.bare),
      2,
    ),
  ];
}
