import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { closeDatabase, openDatabase } from '#lib/database/database.ts';
import { countSettledRuns } from '#lib/runs/run-measures.ts';
import { makeTemporaryFolder, type StartedApp, startApp } from '../start-app.ts';
import { startBenchPostgres } from './bench-postgres.ts';
import { EXPERIMENTS, type Filled, fillDatabase, RUNS, readFilled } from './fill-database.ts';
import { type Measure, median, percentile } from './measure.ts';
import { screenBench } from './screen-bench.ts';
import { weighPages } from './weigh-pages.ts';

/** Enough requests to compile the page code and to cache query plans on each connection. */
const WARM_UP_REQUESTS = 50;
const REQUESTS = 100;
const LONGEST_P95_MS = 150;
/** Limit for pages that aggregate all runs. */
const LONGEST_REPORT_P95_MS = 200;
const REPORT = /insights|compare/;
const SCALE_EXPERIMENTS = 50;

/** A URL, a text that its response must contain (an error page is fast too), and the maximum time. */
type Target = { path: string; holds: string; longestMs: number };

/** Measures the real app on a database as after long use. */
export async function pagesBench(
  options: { pages: boolean; screen: boolean; repeats: number },
  log: (line: string) => void,
): Promise<Measure[]> {
  const parentFolder = makeTemporaryFolder();
  try {
    const filled = await makeDatabase(path.join(parentFolder, 'data'), { runs: RUNS, experiments: EXPERIMENTS });
    log('the database is filled');
    const app = await startApp({ parentFolder });
    try {
      await samplesDone(app);
      const pages = options.pages ? await measurePages('pages', app, pageTargets(filled), options.repeats, log) : [];
      const weights = options.pages ? await weighPages(app, filled, log) : [];
      const screen = options.screen ? await screenBench(app, options.repeats, log) : [];
      return [...pages, ...weights, ...screen];
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(parentFolder, { recursive: true, force: true });
  }
}

export type ScaleOptions = {
  runs: number;
  repeats: number;
  /** Filled if empty, and kept. null creates a temporary folder. */
  dataFolder: string | null;
};

/** Measures the same app with far more runs, because response times must not grow with the stored data. Filling takes 15 minutes. */
export async function scaleBench(
  { runs, repeats, dataFolder }: ScaleOptions,
  log: (line: string) => void,
): Promise<Measure[]> {
  const parentFolder = makeTemporaryFolder();
  const folder = path.resolve(dataFolder ?? path.join(parentFolder, 'data'));
  try {
    const isFilled = existsSync(folder);
    const filled = await makeDatabase(folder, isFilled ? null : { runs, experiments: SCALE_EXPERIMENTS });
    log(isFilled ? `the database is the one in ${folder}` : `the database is filled with ${runs} runs`);
    const started = performance.now();
    const app = await startApp({ env: { HONE_DATA_DIR: folder } });
    const start = startMeasure(performance.now() - started);
    try {
      await samplesDone(app);
      const targets = scaleTargets(filled);
      const quiet = await measurePages('scale', app, targets, repeats, log);
      await startLargeBatch(app);
      const busy = await measurePages('scale, during a batch of 2,000 runs', app, busyTargets(targets), 1, log);
      return [start, ...quiet, ...busy];
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(parentFolder, { recursive: true, force: true });
  }
}

const LONGEST_START_MS = 3_000;

function startMeasure(value: number): Measure {
  const wanted = { of: 'value', atMost: LONGEST_START_MS } as const;
  return {
    part: 'scale',
    name: 'start until ready',
    unit: 'ms',
    value,
    floor: null,
    ratio: null,
    wanted,
    samples: [value],
  };
}

const LARGE_BATCH_MODEL = { provider: 'practice', model: 'practice-1' };

async function startLargeBatch(app: StartedApp): Promise<void> {
  const experiment = {
    name: 'A batch next to pages',
    mode: 'revise',
    generator: { ...LARGE_BATCH_MODEL, instructions: 'You write short help texts.' },
    criteria: [{ name: 'clarity', evaluator: 'llm' }],
  };
  const { id } = created.parse(await post(app, '/experiments', experiment));
  const cases = Array.from({ length: 2_000 }, (_, number) => ({ input: `Explain term ${number}.` }));
  await post(app, `/experiments/${id}/runs`, { cases });
}

const created = z.object({ id: z.string() });

async function post(app: StartedApp, route: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${app.address}/api/v1${route}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** `fill`: size of the data for a new database. null if the database is already filled. */
async function makeDatabase(dataFolder: string, fill: { runs: number; experiments: number } | null): Promise<Filled> {
  const { connectionString, stop } = await startBenchPostgres(dataFolder);
  try {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      if (fill === null) return await readFilled(client);
      const filled = await fillDatabase(client, fill.runs, fill.experiments);
      // Same state as after the worker has settled all runs.
      const database = openDatabase(connectionString);
      while ((await countSettledRuns(database, new Date())) > 0);
      await closeDatabase(database);
      return filled;
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}

/** Waits for the sample runs of the first start, because nothing else may run during the measurement. */
async function samplesDone(app: StartedApp): Promise<void> {
  const list = z.object({ items: z.array(z.unknown()) });
  for (const status of ['queued', 'running']) {
    while (list.parse(await (await fetch(`${app.address}/api/v1/runs?status=${status}`)).json()).items.length > 0)
      await sleep(250);
  }
}

function pageTargets({ experimentId, otherExperimentId, batchId, runId, comparedIds }: Filled): Record<string, Target> {
  const addresses: Record<string, [path: string, holds: string]> = {
    home: ['/', 'Your turn'],
    experiments: ['/experiments', 'Experiment 20:'],
    'experiment, 2,000 runs in its batch': [`/experiments/${experimentId}`, 'Case 2000:'],
    'experiment, 100 runs in its batch': [`/experiments/${otherExperimentId}`, 'Solved by'],
    run: [`/runs/${runId}`, 'Case 1000:'],
    'calls of a run': [`/runs/${runId}/calls`, 'Model calls'],
    datasets: ['/datasets', 'Datasets'],
    models: ['/models', 'practice'],
    'insights, 10,000 runs': ['/insights', 'Long-run share'],
    'runs behind a target': ['/runs?reading=final_better.missed', 'Final no better than first'],
    'compare two': [`/compare?of=${comparedIds.slice(0, 2).join(',')}`, 'interval'],
    'compare five': [`/compare?of=${comparedIds.join(',')}`, 'interval'],
    'GET insights': ['/api/v1/insights', '"targets":[{'],
    'GET compare of two': [`/api/v1/compare?experimentIds=${comparedIds.slice(0, 2).join(',')}`, '"items":[{'],
    'GET compare of five': [`/api/v1/compare?experimentIds=${comparedIds.join(',')}`, '"items":[{'],
    'GET experiments': ['/api/v1/experiments', 'Experiment 20:'],
    'GET runs': ['/api/v1/runs', '"items":[{'],
    'GET runs that wait': ['/api/v1/runs?status=waiting', '"items":[{'],
    'GET runs of an experiment': [`/api/v1/runs?experimentId=${experimentId}`, 'Case 2000:'],
    'GET run': [`/api/v1/runs/${runId}`, 'Case 1000:'],
    'GET batch of 2,000': [`/api/v1/batches/${batchId}`, '"total":2000'],
  };
  return targetsOf(addresses, (name) => (REPORT.test(name) ? LONGEST_REPORT_P95_MS : LONGEST_P95_MS));
}

/** Limits in milliseconds that exceed `LONGEST_SCALE_MS`. */
const LONGEST_AT_SCALE: Record<string, number> = {
  insights: 150,
  'GET insights': 150,
  'compare five': 150,
  'GET compare of five': 150,
  'search for a rare word': 150,
  'GET search': 150,
};
const LONGEST_SCALE_MS = 50;

function scaleTargets({ experimentId, otherExperimentId, comparedIds }: Filled): Record<string, Target> {
  const addresses: Record<string, [path: string, holds: string]> = {
    home: ['/', 'Your turn'],
    experiments: ['/experiments', 'Experiment 50:'],
    'experiments by success': ['/experiments?sort=success', 'Experiment '],
    insights: ['/insights', 'Long-run share'],
    'compare five': [`/compare?of=${comparedIds.join(',')}`, 'interval'],
    'search for a rare word': ['/search?q=1900', 'Case 1900:'],
    // Checks only for table rows, because in a kept database the newest runs are those of the last measurement.
    runs: ['/runs', '<tbody'],
    lessons: ['/lessons', 'Review '],
    'lessons with a common word': ['/lessons?q=units', 'Check the units'],
    review: ['/lessons/review', 'Review'],
    inbox: ['/inbox', 'waiting'],
    backup: ['/settings/backup', 'Backup'],
    'report of an experiment': [`/api/v1/experiments/${otherExperimentId}/report`, 'Experiment 2:'],
    'GET experiments': ['/api/v1/experiments', 'Experiment 50:'],
    'GET insights': ['/api/v1/insights', '"targets":[{'],
    'GET compare of five': [`/api/v1/compare?experimentIds=${comparedIds.join(',')}`, '"items":[{'],
    'GET search': ['/api/v1/search?q=1900', 'Case 1900:'],
    'GET runs': ['/api/v1/runs', '"items":[{'],
    'GET runs of an experiment': [`/api/v1/runs?experimentId=${experimentId}`, 'Case 2000:'],
    'GET lessons': ['/api/v1/lessons', '"items":[{'],
    'GET lessons with a common word': ['/api/v1/lessons?query=units', 'Check the units'],
    'GET inbox': ['/api/v1/inbox', '"items":[{'],
    'GET what waits': ['/api/v1/inbox/count', '"waiting":'],
    'GET backups': ['/api/v1/backups', '"items":['],
  };
  return targetsOf(addresses, (name) => LONGEST_AT_SCALE[name] ?? LONGEST_SCALE_MS);
}

const LONGEST_BUSY_MS = 150;

/** Returns the targets to measure while a batch runs. */
function busyTargets(targets: Record<string, Target>): Record<string, Target> {
  const names = ['home', 'experiments', 'GET experiments', 'GET runs', 'inbox'];
  return Object.fromEntries(
    Object.entries(targets)
      .filter(([name]) => names.includes(name))
      .map(([name, target]) => [name, { ...target, longestMs: LONGEST_BUSY_MS }]),
  );
}

function targetsOf(
  addresses: Record<string, [path: string, holds: string]>,
  longestMs: (name: string) => number,
): Record<string, Target> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, [address, holds]]) => [
      name,
      { path: address, holds, longestMs: longestMs(name) },
    ]),
  );
}

/** Requests each URL in turn, one request at a time. The floor is the response time of the health route. */
async function measurePages(
  part: string,
  app: Pick<StartedApp, 'address'>,
  targets: Record<string, Target>,
  repeats: number,
  log: (line: string) => void,
): Promise<Measure[]> {
  const names = Object.keys(targets);
  const rounds: { floor: Timing; pages: Map<string, Timing> }[] = [];
  for (let round = 1; round <= repeats; round++) {
    const floor = await time(`${app.address}/api/v1/health`, '"status":"ok"');
    const pages = new Map<string, Timing>();
    for (const [name, target] of Object.entries(targets))
      pages.set(name, await time(app.address + target.path, target.holds));
    rounds.push({ floor, pages });
    const slowest = Math.max(...[...pages.values()].map(({ p95 }) => p95));
    log(
      `round ${round} of ${repeats}, ${REQUESTS} requests an address after ${WARM_UP_REQUESTS} to warm up: slowest p95 ${slowest.toFixed(0)} ms, floor ${floor.p50.toFixed(1)} ms`,
    );
  }
  return names.flatMap((name) => {
    const of = (figure: keyof Timing) => rounds.flatMap(({ pages }) => pages.get(name)?.[figure] ?? []);
    return (['p50', 'p95'] as const).map((figure): Measure => {
      const values = of(figure);
      const floors = rounds.map(({ floor }) => floor[figure]);
      return {
        part,
        name: `${name}, ${figure}`,
        unit: 'ms',
        value: median(values),
        floor: median(floors),
        ratio: median(values.map((value, round) => value / (floors[round] ?? Number.NaN))),
        wanted: figure === 'p95' ? { of: 'value', atMost: targets[name]?.longestMs ?? LONGEST_P95_MS } : null,
        samples: values,
      };
    });
  });
}

type Timing = { p50: number; p95: number };

async function time(address: string, holds: string): Promise<Timing> {
  const times: number[] = [];
  for (let request = 0; request < WARM_UP_REQUESTS + REQUESTS; request++) {
    const startedMs = performance.now();
    const response = await fetch(address);
    const text = await response.text();
    if (request >= WARM_UP_REQUESTS) times.push(performance.now() - startedMs);
    if (response.status !== 200 || !text.includes(holds))
      throw new Error(`${address} answered ${response.status} without ${JSON.stringify(holds)}`);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}
