import { z } from 'zod';
import { SPLITS } from '#lib/core/history.ts';
import { type CountedShare, countedShare } from '#lib/statistics/shares.ts';
import { madeVersions, tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { startBenchChild } from '../bench-child.ts';
import { type Landscape, nilLandscapes } from './landscapes.ts';
import { markdownTable } from './markdown-table.ts';
import { readCounts } from './read-counts.ts';
import { simulatedApp, type Texts } from './simulated-app.ts';
import { tuneInProcess } from './tune-in-process.ts';
import { bestOf, findGepa, type GepaChanges, tuneWithGepa } from './tune-with-gepa.ts';
import { type TuneChanges, textsOf } from './tune-with-hone.ts';

/** Results of a tool with proposals that mostly only reword. */
export type NilFigures = {
  landscape: Landscape;
  tool: 'Hone' | 'gepa';
  trials: number;
  /** Share of proposals that became candidates. */
  accepted: CountedShare;
  /** Trials that returned a text other than the original. */
  changed: CountedShare;
  /** Trials that returned a text with a higher true score. */
  better: CountedShare;
  /** Trials that claimed a gain on the held-out tickets. null if the tool makes no claims. */
  claimed: CountedShare | null;
};

/** Measures how often rewordings are accepted, returned and claimed as gains. Runs Hone's loop without its server. */
export async function nilBench(
  { trials, tune, gepa: changes }: { trials: number; tune: TuneChanges; gepa: GepaChanges },
  log: (line: string) => void,
): Promise<NilFigures[]> {
  const figures: NilFigures[] = [];
  for (const landscape of nilLandscapes()) {
    figures.push(await byHone(landscape, trials, tune));
    log(`${landscape.name}: Hone`);
  }
  const gepa = await findGepa();
  if (typeof gepa === 'string') {
    log(`skipped gepa: ${gepa}`);
    return figures;
  }
  const server = await startBenchChild('tuning/simulated-server.ts', null);
  try {
    const { port } = z.object({ port: z.int() }).parse(server.answer);
    for (const landscape of nilLandscapes()) {
      figures.push(await byGepa(gepa.python, `http://127.0.0.1:${port}`, landscape, trials, changes));
      log(`${landscape.name}: gepa`);
    }
    return figures;
  } finally {
    await server.end();
  }
}

async function byHone(landscape: Landscape, trials: number, tune: TuneChanges): Promise<NilFigures> {
  const sums = { made: 0, accepted: 0, changed: 0, better: 0, claimed: 0 };
  for (let seed = 0; seed < trials; seed++) {
    const app = simulatedApp(landscape, seed);
    const { history, settings, ending } = await tuneInProcess(app, SPLITS, tune);
    const summary = tuningSummary(history, settings);
    const { accepted, gain } = summary;
    const best = history.versions.find(({ number }) => number === ending.bestVersion);
    const texts = best === undefined ? app.start : textsOf(app, best.output);
    sums.made += madeVersions(summary).length;
    sums.accepted += accepted;
    sums.changed += Number(!areSame(texts, app.start));
    sums.better += Number(app.heldOutScore(texts) > app.heldOutScore(app.start));
    sums.claimed += Number(gain?.heldOut?.verdict === 'better');
  }
  return {
    ...{ landscape, tool: 'Hone', trials },
    accepted: countedShare(sums.accepted, sums.made),
    changed: countedShare(sums.changed, trials),
    better: countedShare(sums.better, trials),
    claimed: countedShare(sums.claimed, trials),
  };
}

async function byGepa(
  python: string,
  base: string,
  landscape: Landscape,
  trials: number,
  changes: GepaChanges,
): Promise<NilFigures> {
  const seeds = Array.from({ length: trials }, (_trial, seed) => seed);
  const made = await tuneWithGepa(python, {
    ...{ base, tool: 'gepa', latencyMs: 0, landscapes: [landscape.name], seeds },
    changes,
  });
  const counts = await readCounts(base);
  const results = made.map((one) => ({
    app: simulatedApp(landscape, one.seed),
    texts: bestOf(one, landscape.metricCalls),
  }));
  const accepted = made.reduce((sum, { candidates }) => sum + candidates.length - 1, 0);
  const proposals = seeds.reduce((sum, seed) => sum + (counts[`gepa:${landscape.name}:${seed}`]?.reflections ?? 0), 0);
  const changed = results.filter(({ app, texts }) => !areSame(texts, app.start)).length;
  const better = results.filter(({ app, texts }) => app.heldOutScore(texts) > app.heldOutScore(app.start)).length;
  return {
    ...{ landscape, tool: 'gepa', trials },
    accepted: countedShare(accepted, proposals),
    changed: countedShare(changed, trials),
    better: countedShare(better, trials),
    claimed: null,
  };
}

function areSame(one: Texts, other: Texts): boolean {
  return Object.keys(one).every((name) => one[name] === other[name]);
}

export function showNil(figures: NilFigures[]): string {
  const rows = figures.map(({ landscape, tool, trials, accepted, changed, better, claimed }) => [
    landscape.name,
    tool,
    String(trials),
    ...[accepted, changed, better, claimed].map((share) => (share === null ? '' : percent(share))),
  ]);
  const head = 'landscape,tool,trials,proposals accepted,other text returned,better text returned,gain claimed';
  return markdownTable([head.split(','), ...rows]);
}

function percent({ interval }: CountedShare): string {
  if (interval === null) return '';
  const [share = '', low = '', high = ''] = [interval.share, interval.low, interval.high].map((one) =>
    (100 * one).toFixed(1),
  );
  return `${share}% (${low} to ${high})`;
}
