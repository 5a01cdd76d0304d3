import { z } from 'zod';
import { pairedBootstrap } from '#lib/statistics/paired-bootstrap.ts';
import { openApi } from '../../api/open-api.ts';
import { type StartedApp, startApp } from '../../start-app.ts';
import { type BenchChild, startBenchChild } from '../bench-child.ts';
import { median } from '../measure.ts';
import { LANDSCAPES, type Landscape, landscapeNamed } from './landscapes.ts';
import { simulatedApp, type Texts } from './simulated-app.ts';
import { findGepa, GEPA_VERSION, type MadeByGepa, tuneWithGepa } from './tune-with-gepa.ts';
import { type MadeByHone, tuneWithHone } from './tune-with-hone.ts';

/** What a tool made of the app of one seed. `score` is the true one, over the held-out tickets. */
type Made = { texts: Texts; score: number; metricCalls: number; reflections: number };
export type SeedFigures = {
  seed: number;
  start: number;
  optimum: number;
  hone: Made & { reason: string | null };
  /** The best candidate that was validated within the metric calls. `whole`: the score of the best of all. */
  gepa: (Made & { whole: number }) | null;
};
export type LandscapeFigures = {
  landscape: Landscape;
  seeds: SeedFigures[];
  /** Hone less gepa, paired by seed, with a 95% bootstrap interval. Null without gepa. */
  difference: { mean: number; low: number | null; high: number | null } | null;
};
export type TimeFigures = { latencyMs: number; hone: number; gepa: number | null };
export type TuningFigures = { gepaVersion: string; landscapes: LandscapeFigures[]; times: TimeFigures[] };

/** Seeds that are tuned one at a time, to measure how long it takes. */
const TIMED_SEEDS = [0, 1, 2];
const LATENCIES_MS = [0, 200];
const WORKER_SLOTS = 4;

/** Compares Hone's tuning, over its API, with the gepa package. Both call the same apps and the same reflection model. */
export async function tuningBench(
  { landscapes: names, seeds: count, times }: { landscapes: string[]; seeds: number; times: boolean },
  say: (line: string) => void,
): Promise<TuningFigures> {
  const landscapes = names.length === 0 ? LANDSCAPES : names.map(landscapeNamed);
  const seeds = Array.from({ length: count }, (_seed, at) => at);
  const gepa = await findGepa();
  if (typeof gepa === 'string') say(`skipped gepa: ${gepa}`);
  const python = typeof gepa === 'string' ? null : gepa.python;
  const bench = await openBench(python);
  try {
    const figures: LandscapeFigures[] = [];
    for (const landscape of landscapes) {
      const made = await bench.tune('compare', 0, landscape, seeds);
      figures.push(made);
      say(`${landscape.name}: ${summaryOf(made)}`);
    }
    const timed: TimeFigures[] = [];
    for (const latencyMs of times ? LATENCIES_MS : []) {
      const [first = LANDSCAPES[0]] = landscapes;
      if (first === undefined) break;
      timed.push(await bench.time(latencyMs, first));
      say(`timed at ${latencyMs} ms`);
    }
    return { gepaVersion: GEPA_VERSION, landscapes: figures, times: timed };
  } finally {
    await bench.close();
  }
}

async function openBench(python: string | null) {
  const server = await startBenchChild('tuning/simulated-server.ts', null);
  const app = await startApp({
    env: { HONE_SECRET: 'a secret for the bench', HONE_WORKER_SLOTS: String(WORKER_SLOTS) },
    readyWithinMs: 600_000,
  });
  const { port } = z.object({ port: z.int() }).parse(server.answer);
  const base = `http://127.0.0.1:${port}`;
  const byHone = (tool: string, latencyMs: number, landscape: Landscape, seeds: number[]) =>
    tuneWithHone(openApi(app.address), { base, tool, latencyMs, landscapes: [landscape], seeds });
  const byGepa = (tool: string, latencyMs: number, landscape: Landscape, seeds: number[]) =>
    python === null
      ? Promise.resolve(null)
      : tuneWithGepa(python, { base, tool, latencyMs, landscapes: [landscape.name], seeds });
  return {
    tune: async (label: string, latencyMs: number, landscape: Landscape, seeds: number[]) => {
      const hone = await byHone(`${label}-${landscape.name}-hone`, latencyMs, landscape, seeds);
      const gepa = await byGepa(`${label}-${landscape.name}-gepa`, latencyMs, landscape, seeds);
      const counts = await readCounts(base);
      const figures = hone.map((made, at) =>
        seedFigures(landscape, `${label}-${landscape.name}`, counts, made, gepa?.[at]),
      );
      return { landscape, seeds: figures, difference: differenceOf(figures) };
    },
    time: async (latencyMs: number, landscape: Landscape): Promise<TimeFigures> => {
      const hone: number[] = [];
      const gepa: number[] = [];
      for (const seed of TIMED_SEEDS) {
        const label = `time-${latencyMs}-${seed}`;
        const startedMs = performance.now();
        await byHone(`${label}-hone`, latencyMs, landscape, [seed]);
        hone.push(performance.now() - startedMs);
        const [made] = (await byGepa(`${label}-gepa`, latencyMs, landscape, [seed])) ?? [];
        if (made !== undefined) gepa.push(made.elapsedMs);
      }
      return { latencyMs, hone: median(hone), gepa: gepa.length === 0 ? null : median(gepa) };
    },
    close: () => closeBench(app, server),
  };
}

async function closeBench(app: StartedApp, server: BenchChild): Promise<void> {
  await app.stop();
  await server.end();
}

const countsSchema = z.record(z.string(), z.object({ metricCalls: z.int(), reflections: z.int() }));
type Counts = z.infer<typeof countsSchema>;

async function readCounts(base: string): Promise<Counts> {
  return countsSchema.parse(await (await fetch(`${base}/counts`)).json());
}

function seedFigures(
  landscape: Landscape,
  label: string,
  counts: Counts,
  hone: MadeByHone,
  gepa: MadeByGepa | undefined,
): SeedFigures {
  const { seed, texts, reason } = hone;
  const app = simulatedApp(landscape, seed);
  const counted = (tool: string) => {
    const found = counts[`${label}-${tool}:${landscape.name}:${seed}`];
    if (found === undefined) throw new Error(`${tool} made no call for seed ${seed} of ${landscape.name}`);
    return found;
  };
  const scored = (tool: string, made: Texts): Made => ({
    texts: made,
    score: app.heldOutScore(made),
    ...counted(tool),
  });
  return {
    seed,
    start: app.heldOutScore(app.start),
    optimum: app.heldOutScore(app.optimum),
    hone: { ...scored('hone', texts), reason },
    gepa:
      gepa === undefined
        ? null
        : {
            ...scored('gepa', bestOf(gepa, landscape.metricCalls)),
            whole: app.heldOutScore(bestOf(gepa, Number.POSITIVE_INFINITY)),
          },
  };
}

/** What gepa would return: its first candidate with the highest mean, of those that were validated within the metric calls. */
function bestOf({ candidates }: MadeByGepa, within: number): Texts {
  const [first, ...others] = candidates.filter(({ metricCalls }) => metricCalls <= within);
  if (first === undefined) throw new Error('gepa has no candidate');
  return others.reduce((best, one) => (one.score > best.score ? one : best), first).texts;
}

function differenceOf(figures: SeedFigures[]): LandscapeFigures['difference'] {
  const differences = figures.flatMap(({ hone, gepa }) => (gepa === null ? [] : [hone.score - gepa.score]));
  const made = pairedBootstrap(differences, 'Hone less gepa');
  return made === null ? null : { mean: made.difference, low: made.low, high: made.high };
}

function summaryOf({ seeds, difference }: LandscapeFigures): string {
  const hone = `Hone ${meanOf(seeds, ({ hone: made }) => made.score).toFixed(3)}`;
  if (difference === null) return hone;
  return `${hone}, gepa ${meanOf(seeds, ({ gepa }) => gepa?.score ?? 0).toFixed(3)}`;
}

function meanOf(seeds: SeedFigures[], figure: (one: SeedFigures) => number): number {
  return seeds.reduce((sum, one) => sum + figure(one), 0) / seeds.length;
}

/** The figures as two Markdown tables. */
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
      score(({ hone }) => hone.score),
      score(({ optimum }) => optimum),
      hasGepa ? `${signed(difference.mean)} (${signed(difference.low)} to ${signed(difference.high)})` : '',
      `${calls(({ hone }) => hone.metricCalls)} / ${hasGepa ? calls(({ gepa }) => gepa?.metricCalls ?? 0) : ''}`,
      `${calls(({ hone }) => hone.reflections)} / ${hasGepa ? calls(({ gepa }) => gepa?.reflections ?? 0) : ''}`,
    ];
  });
  const head = 'landscape,seeds,start,gepa,Hone,optimum,Hone − gepa (95%),metric calls,reflections'.split(',');
  const timed = times.map(({ latencyMs, hone, gepa }) => [
    `${latencyMs} ms`,
    seconds(hone),
    gepa === null ? '' : seconds(gepa),
  ]);
  const tables = [markdownTable([head, ...compared])];
  if (timed.length > 0) tables.push(markdownTable([['latency of a call', 'Hone', 'gepa'], ...timed]));
  return tables.join('\n\n');
}

function markdownTable([head = [], ...body]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function signed(value: number | null): string {
  return value === null ? '' : `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
