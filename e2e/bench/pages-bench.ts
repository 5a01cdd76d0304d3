import { rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { applyMigrations } from '#lib/db/apply-migrations.ts';
import { startEmbeddedPostgres } from '#lib/db/embedded-postgres.ts';
import { makeTemporaryFolder, type StartedApp, startApp } from '../start-app.ts';
import { type Filled, fillDatabase } from './fill-database.ts';
import { type Measure, median, percentile } from './measure.ts';
import { screenBench } from './screen-bench.ts';

const WARM_UP_REQUESTS = 20;
const REQUESTS = 100;
const LONGEST_P95_MS = 150;
/** Of what is worked out over all runs. */
const LONGEST_REPORT_P95_MS = 200;
const REPORT = /insights|compare/;

/** The real app on a database as long use leaves it. */
export async function pagesBench(
  options: { pages: boolean; screen: boolean; repeats: number },
  say: (line: string) => void,
): Promise<Measure[]> {
  const parentFolder = makeTemporaryFolder();
  try {
    const filled = await makeDatabase(path.join(parentFolder, 'data'));
    say('the database is filled');
    const app = await startApp({ parentFolder });
    try {
      await samplesDone(app);
      const pages = options.pages ? await measurePages(app, filled, options.repeats, say) : [];
      const screen = options.screen ? await screenBench(app, options.repeats, say) : [];
      return [...pages, ...screen];
    } finally {
      await app.stop();
    }
  } finally {
    rmSync(parentFolder, { recursive: true, force: true });
  }
}

async function makeDatabase(dataFolder: string): Promise<Filled> {
  const signal = new AbortController().signal;
  const started = await startEmbeddedPostgres({ dataFolder, say: () => undefined, signal });
  if (!started.ok) throw new Error(started.problem.message);
  const { connectionString, stop } = started.value;
  try {
    const migrated = await applyMigrations(connectionString, path.resolve('prisma/migrations'));
    if (!migrated.ok) throw new Error(migrated.problem.message);
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      return await fillDatabase(client);
    } finally {
      await client.end();
    }
  } finally {
    await stop();
  }
}

/** The first start makes samples and runs them; nothing else should be under way while pages are measured. */
async function samplesDone(app: StartedApp): Promise<void> {
  const list = z.object({ items: z.array(z.unknown()) });
  for (const status of ['queued', 'running']) {
    while (list.parse(await (await fetch(`${app.address}/api/v1/runs?status=${status}`)).json()).items.length > 0)
      await sleep(250);
  }
}

/** Each address in turn, one request at a time; the floor is the least the same server does for any route. */
async function measurePages(
  app: StartedApp,
  { experimentId, otherExperimentId, batchId, runId, comparedIds }: Filled,
  repeats: number,
  say: (line: string) => void,
): Promise<Measure[]> {
  // With a text that must stand in the answer: a page that was not found is fast too.
  const addresses: Record<string, [path: string, holds: string]> = {
    home: ['/', 'Your turn'],
    experiments: ['/experiments', 'Experiment 20:'],
    'experiment, 2,000 runs in its batch': [`/experiments/${experimentId}`, 'Case 2000:'],
    'experiment, 100 runs in its batch': [`/experiments/${otherExperimentId}`, 'Solved by'],
    run: [`/runs/${runId}`, 'Case 1000:'],
    'calls of a run': [`/runs/${runId}/calls`, 'Calls as they were sent'],
    datasets: ['/datasets', 'Datasets'],
    models: ['/models', 'practice'],
    'insights, 10,000 runs': ['/insights', 'Settles at'],
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
  const names = Object.keys(addresses);
  const rounds: { floor: Timing; pages: Map<string, Timing> }[] = [];
  for (let round = 1; round <= repeats; round++) {
    const floor = await time(`${app.address}/api/v1/health`, '"status":"ok"');
    const pages = new Map<string, Timing>();
    for (const [name, [address, holds]] of Object.entries(addresses))
      pages.set(name, await time(app.address + address, holds));
    rounds.push({ floor, pages });
    const slowest = Math.max(...[...pages.values()].map(({ p95 }) => p95));
    say(`round ${round} of ${repeats}: slowest p95 ${slowest.toFixed(0)} ms, floor ${floor.p50.toFixed(1)} ms`);
  }
  return names.flatMap((name) => {
    const of = (figure: keyof Timing) => rounds.flatMap(({ pages }) => pages.get(name)?.[figure] ?? []);
    return (['p50', 'p95'] as const).map((figure): Measure => {
      const values = of(figure);
      const floors = rounds.map(({ floor }) => floor[figure]);
      return {
        part: 'pages',
        name: `${name}, ${figure}`,
        unit: 'ms',
        value: median(values),
        floor: median(floors),
        ratio: median(values.map((value, round) => value / (floors[round] ?? Number.NaN))),
        wanted:
          figure === 'p95' ? { of: 'value', atMost: REPORT.test(name) ? LONGEST_REPORT_P95_MS : LONGEST_P95_MS } : null,
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
