import { z } from 'zod';
import { pairedBootstrap } from '#lib/statistics/paired-bootstrap.ts';
import { type Api, openApi } from '../../api/open-api.ts';
import { type StartedApp, startApp } from '../../start-app.ts';
import { startBenchChild } from '../bench-child.ts';
import { median } from '../measure.ts';
import { LANDSCAPES, type Landscape, landscapeNamed } from './landscapes.ts';
import { markdownTable } from './markdown-table.ts';
import { type Counts, readCounts } from './read-counts.ts';
import { simulatedApp, type Texts } from './simulated-app.ts';
import { tuneInProcess } from './tune-in-process.ts';
import { bestOf, findGepa, GEPA_VERSION, type GepaChanges, type MadeByGepa, tuneWithGepa } from './tune-with-gepa.ts';
import { type MadeByHone, OPEN_SPLITS, type TuneChanges, textsOf, tuneWithHone } from './tune-with-hone.ts';

/** Result of a tool for the app of one seed. `score` is the true score over the held-out tickets. */
type Made = { texts: Texts; score: number; metricCalls: number; reflections: number };
/** The best candidate that gepa validated within the metric calls. `whole` is the score of its best candidate including later ones. */
type MadeWithGepa = Made & { whole: number };
export type SeedFigures = {
  seed: number;
  start: number;
  optimum: number;
  hone: Made & { reason: string | null };
  gepa: MadeWithGepa | null;
};
/** Mean difference, paired by seed, with its 95% bootstrap interval. */
type Difference = { mean: number; low: number | null; high: number | null };
export type LandscapeFigures = {
  landscape: Landscape;
  seeds: SeedFigures[];
  /** Hone minus gepa, null without gepa. `whole` includes gepa's calls after the limit. */
  difference: { within: Difference; whole: Difference } | null;
};
export type TimeFigures = { latencyMs: number; hone: number; gepa: number | null };
export type TuningFigures = {
  gepaVersion: string;
  options: TuningOptions;
  landscapes: LandscapeFigures[];
  times: TimeFigures[];
};

/** Seeds tuned one at a time to measure the duration. */
const TIMED_SEEDS = [0, 1, 2];
const LATENCIES_MS = [0, 200];
const WORKER_SLOTS = 4;

export type TuningOptions = {
  landscapes: string[];
  seeds: number;
  /** Also measures the duration of a run. */
  times: boolean;
  /** Runs Hone over its API, or only the steps of its loop without a server. */
  through: 'api' | 'loop';
  /** Overrides of the `tune` settings. */
  tune: TuneChanges;
  gepa: GepaChanges;
};

/** Compares Hone's tuning with the gepa package on the same apps and reflection model. */
export async function tuningBench(options: TuningOptions, log: (line: string) => void): Promise<TuningFigures> {
  const landscapes = options.landscapes.length === 0 ? LANDSCAPES : options.landscapes.map(landscapeNamed);
  const seeds = Array.from({ length: options.seeds }, (_seed, at) => at);
  const gepa = await findGepa();
  if (typeof gepa === 'string') log(`skipped gepa: ${gepa}`);
  const server = await startBenchChild('tuning/simulated-server.ts', null);
  const { port } = z.object({ port: z.int() }).parse(server.answer);
  const base = `http://127.0.0.1:${port}`;
  let app: StartedApp | null = null;
  try {
    if (options.through === 'api') app = await startHone();
    const tools = {
      tune: options.tune,
      changes: options.gepa,
      base,
      api: app === null ? null : openApi(app.address),
      python: typeof gepa === 'string' ? null : gepa.python,
    };
    const figures: LandscapeFigures[] = [];
    for (const landscape of landscapes) {
      const made = await compare(tools, landscape, seeds);
      figures.push(made);
      log(`${landscape.name}: ${summaryOf(made)}`);
    }
    const times: TimeFigures[] = [];
    const [timed] = landscapes;
    for (const latencyMs of options.times && timed !== undefined ? LATENCIES_MS : []) {
      if (timed === undefined || tools.api === null) break;
      times.push(await timeOf({ ...tools, api: tools.api }, latencyMs, timed));
      log(`timed at ${latencyMs} ms`);
    }
    return { gepaVersion: GEPA_VERSION, options, landscapes: figures, times };
  } finally {
    await app?.stop();
    await server.end();
  }
}

/** URL of the simulated apps and access to the tools. `api` is null for Hone's loop without a server, `python` is null without gepa. */
type Tools = { base: string; api: Api | null; python: string | null; tune: TuneChanges; changes: GepaChanges };

function startHone(): Promise<StartedApp> {
  const env = { HONE_SECRET: 'a secret for the bench', HONE_WORKER_SLOTS: String(WORKER_SLOTS) };
  return startApp({ env, readyWithinMs: 600_000 });
}

async function compare(
  { base, api, python, tune, changes }: Tools,
  landscape: Landscape,
  seeds: number[],
): Promise<LandscapeFigures> {
  const options = { base, latencyMs: 0, seeds };
  const hone =
    api === null
      ? await byLoop(landscape, seeds, tune)
      : await tuneWithHone(api, { ...options, tune, tool: `hone-${landscape.name}`, landscapes: [landscape] });
  const gepa =
    python === null
      ? []
      : await tuneWithGepa(python, {
          ...options,
          tool: `gepa-${landscape.name}`,
          landscapes: [landscape.name],
          changes,
        });
  const counts = await readCounts(base);
  const figures = hone.map((made, at) => seedFigures(landscape, counts, made, gepa[at]));
  return { landscape, seeds: figures, difference: differenceOf(figures) };
}

async function byLoop(landscape: Landscape, seeds: number[], tune: TuneChanges): Promise<MadeByHone[]> {
  const made: MadeByHone[] = [];
  for (const seed of seeds) {
    const app = simulatedApp(landscape, seed);
    const { history, ending, counts } = await tuneInProcess(app, OPEN_SPLITS, tune);
    const best = history.versions.find(({ number }) => number === ending.bestVersion);
    if (best === undefined) throw new Error(`seed ${seed} of ${landscape.name} has no best version`);
    made.push({ landscape: landscape.name, seed, texts: textsOf(app, best.output), reason: ending.reason, counts });
  }
  return made;
}

async function timeOf(
  { base, api, python, tune, changes }: Tools & { api: Api },
  latencyMs: number,
  landscape: Landscape,
) {
  const hone: number[] = [];
  const gepa: number[] = [];
  for (const seed of TIMED_SEEDS) {
    const options = { base, latencyMs, seeds: [seed] };
    const tool = `time-${latencyMs}-${seed}`;
    const startedMs = performance.now();
    await tuneWithHone(api, { ...options, tune, tool, landscapes: [landscape] });
    hone.push(performance.now() - startedMs);
    if (python === null) continue;
    const [made] = await tuneWithGepa(python, { ...options, tool, landscapes: [landscape.name], changes });
    if (made !== undefined) gepa.push(made.elapsedMs);
  }
  return { latencyMs, hone: median(hone), gepa: gepa.length === 0 ? null : median(gepa) };
}

function seedFigures(
  landscape: Landscape,
  counts: Counts,
  hone: MadeByHone,
  gepa: MadeByGepa | undefined,
): SeedFigures {
  const { seed, texts, reason } = hone;
  const app = simulatedApp(landscape, seed);
  const counted = (tool: string) => {
    const found = counts[`${tool}-${landscape.name}:${landscape.name}:${seed}`];
    if (found === undefined) throw new Error(`${tool} made no call for seed ${seed} of ${landscape.name}`);
    return found;
  };
  const theirs = gepa === undefined ? null : bestOf(gepa, landscape.metricCalls);
  return {
    seed,
    start: app.heldOutScore(app.start),
    optimum: app.heldOutScore(app.optimum),
    hone: { texts, score: app.heldOutScore(texts), ...(hone.counts ?? counted('hone')), reason },
    gepa:
      gepa === undefined || theirs === null
        ? null
        : {
            ...{ texts: theirs, score: app.heldOutScore(theirs), ...counted('gepa') },
            whole: app.heldOutScore(bestOf(gepa, Number.POSITIVE_INFINITY)),
          },
  };
}

function differenceOf(figures: SeedFigures[]): LandscapeFigures['difference'] {
  const less = (scoreOf: (gepa: MadeWithGepa) => number) => {
    const made = pairedBootstrap(
      figures.flatMap(({ hone, gepa }) => (gepa === null ? [] : [hone.score - scoreOf(gepa)])),
      'Hone less gepa',
    );
    return made === null ? null : { mean: made.difference, low: made.low, high: made.high };
  };
  const [within, whole] = [less(({ score }) => score), less((gepa) => gepa.whole)];
  return within === null || whole === null ? null : { within, whole };
}

function summaryOf({ seeds, difference }: LandscapeFigures): string {
  const hone = `Hone ${meanOf(seeds, ({ hone: made }) => made.score).toFixed(3)}`;
  if (difference === null) return hone;
  return `${hone}, gepa ${meanOf(seeds, ({ gepa }) => gepa?.score ?? 0).toFixed(3)}`;
}

function meanOf(seeds: SeedFigures[], figure: (one: SeedFigures) => number): number {
  return seeds.reduce((sum, one) => sum + figure(one), 0) / seeds.length;
}

/** Formats the figures as two Markdown tables. */
export function showTuning({ landscapes, times }: TuningFigures): string {
  const compared = landscapes.map(({ landscape, seeds, difference }) => {
    const score = (figure: (one: SeedFigures) => number) => meanOf(seeds, figure).toFixed(3);
    const calls = (figure: (one: SeedFigures) => number) => meanOf(seeds, figure).toFixed(0);
    const hasGepa = difference !== null;
    return [
      landscape.name,
      String(seeds.length),
      score(({ start }) => start),
      hasGepa ? score(({ gepa }) => gepa?.score ?? 0) : '',
      hasGepa ? score(({ gepa }) => gepa?.whole ?? 0) : '',
      score(({ hone }) => hone.score),
      score(({ optimum }) => optimum),
      hasGepa ? interval(difference.within) : '',
      hasGepa ? interval(difference.whole) : '',
      `${calls(({ hone }) => hone.metricCalls)} / ${hasGepa ? calls(({ gepa }) => gepa?.metricCalls ?? 0) : ''}`,
      `${calls(({ hone }) => hone.reflections)} / ${hasGepa ? calls(({ gepa }) => gepa?.reflections ?? 0) : ''}`,
    ];
  });
  const head =
    'landscape,seeds,start,gepa,gepa whole,Hone,optimum,Hone − gepa (95%),Hone − gepa whole (95%),metric calls,reflections'.split(
      ',',
    );
  const timed = times.map(({ latencyMs, hone, gepa }) => [
    `${latencyMs} ms`,
    seconds(hone),
    gepa === null ? '' : seconds(gepa),
  ]);
  const tables = [markdownTable([head, ...compared])];
  if (timed.length > 0) tables.push(markdownTable([['latency of a call', 'Hone', 'gepa'], ...timed]));
  return tables.join('\n\n');
}

function interval({ mean, low, high }: Difference): string {
  return `${signed(mean)} (${signed(low)} to ${signed(high)})`;
}

function signed(value: number | null): string {
  return value === null ? '' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
