import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { meanInterval, wilsonInterval } from './intervals.ts';
import { CAP_STOPS, EARLY_STOPS } from './read-target.ts';
import { clusteredShare, countByGroup } from './shares.ts';

const interval = { low: z.number().min(0).max(1), share: z.number().min(0).max(1), high: z.number().min(0).max(1) };
const solvedSchema = z.object({ solved: z.int().min(0), ...interval });

/**
 * One point of a batch's solve curve, with 95 % intervals. `ever`: number of runs solved by this version or earlier. `current`: number of
 * runs whose result at this version is satisfactory.
 */
const batchCurvePointSchema = z.object({
  version: z.int().min(0),
  n: z.int().min(1),
  ever: solvedSchema,
  current: solvedSchema,
});

/**
 * Results of a batch. `solvedByIteration[k]` counts the runs solved by version k or earlier (cumulative). `currentByIteration[k]` counts
 * those whose version k, or the last one before it, is satisfactory.
 */
export const batchReportSchema = z.object({
  total: z.int(),
  cases: z.int().meta({ description: 'Different cases among the runs.' }),
  ended: z.int(),
  unscored: z.int().meta({
    description:
      'Number of ended runs without any score. They count neither as solved nor as unsolved, and in no share or mean.',
  }),
  solved: z.int(),
  solvedShare: z
    .object({ ...solvedSchema.shape, n: z.int().min(1) })
    .nullable()
    .meta({
      description:
        'Share of the `n` ended runs with at least one score, with its 95% interval. The interval treats several runs of one case as dependent.',
    }),
  solvedByIteration: z.array(z.int()),
  currentByIteration: z.array(z.int()),
  solveCurve: z.array(batchCurvePointSchema),
  stopReasons: z.record(z.string(), z.int()),
  endedByRule: z
    .object({ met: z.int().min(0), n: z.int().min(1), ...interval })
    .nullable()
    .meta({
      description:
        'How many of the `n` runs ended by a stop rule, with its 95% interval. `n` counts runs with at least one score that a stop rule or a cap ended. The interval treats several runs of one case as dependent.',
    }),
  tokenUsage: z.object({ input: z.int(), output: z.int(), total: z.int() }),
  costUsd: z.number(),
  unpriced: z.boolean(),
  firstScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
  bestScore: z.object({ mean: z.number(), n: z.int() }).nullable(),
  gain: z.object({ mean: z.number(), n: z.int() }).nullable().meta({
    description: 'Mean gain from the first to the best score, over the runs whose first version has a score.',
  }),
});
export type BatchReport = z.infer<typeof batchReportSchema>;

/** The score gain that counts as one point. */
const POINT = 0.1;
/** Minimum gain. Smaller gains are displayed as no gain. */
const MIN_GAIN = 0.0005;

/**
 * Returns the cost of a score gain of 0.10, in US dollars: the total cost divided by the sum of the gains. Null if nothing was gained or no
 * run has a known gain.
 */
export function costPerPoint({ costUsd, gain }: Pick<BatchReport, 'costUsd' | 'gain'>): number | null {
  return gain === null || gain.mean < MIN_GAIN ? null : costUsd / ((gain.mean * gain.n) / POINT);
}

/**
 * The scores of many cases at one version. `n` cases count. `made` of them have that version, and the others count with their last score.
 * `standardDeviation` is that of the sample, or null for fewer than two. `low` and `high` are the 95 % confidence bounds of the mean, or
 * null if a single score shows no spread.
 */
export type TrajectoryPoint = {
  version: number;
  n: number;
  made: number;
  mean: number;
  standardDeviation: number | null;
  low: number | null;
  high: number | null;
};

/** The scores of a run by version, from 0 to 1, null if unscored. Runs of one case have the same `caseKey`, and others none. */
type RunScores = { scores: readonly (number | null)[]; caseKey?: string };

/**
 * Returns the mean score by version. Runs of one case are correlated, so their mean counts as one score. A run that ended early keeps its
 * last score, because the mean would otherwise fall as solved runs drop out. A run that is unscored at a version is skipped there. A
 * version without any counted run has no point.
 */
export function trajectorySpread(runs: readonly RunScores[]): TrajectoryPoint[] {
  const length = runs.reduce((longest, { scores }) => Math.max(longest, scores.length), 0);
  const cases = [...Map.groupBy(runs, (run) => run.caseKey ?? run).values()].map((ofCase) =>
    ofCase.map(({ scores }) => ({ scores, last: scores.findLast((score) => score !== null) ?? null })),
  );
  const points: TrajectoryPoint[] = [];
  for (let version = 0; version < length; version++) {
    const counted: number[] = [];
    let made = 0;
    for (const ofCase of cases) {
      const known = ofCase.flatMap(({ scores, last }) => {
        const hasVersion = version < scores.length;
        const score = hasVersion ? (scores[version] ?? null) : last;
        return score === null ? [] : [{ score, hasVersion }];
      });
      if (known.length === 0) continue;
      counted.push(roundTo6(known.reduce((sum, { score }) => sum + score, 0) / known.length));
      if (known.some(({ hasVersion }) => hasVersion)) made++;
    }
    const interval = meanInterval(counted);
    if (interval === null) continue;
    const { n, mean, low, high } = interval;
    points.push({ version, n, made, mean, standardDeviation: deviationOf(counted), low, high });
  }
  return points;
}

function deviationOf(scores: number[]): number | null {
  if (scores.length < 2) return null;
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const squares = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0);
  return roundTo6(Math.sqrt(squares / (scores.length - 1)));
}

/** Values of each run for a report: its first and best score (null = unscored), and per version, true if it was satisfactory. */
export type RunOutcome = {
  /** Equal for runs of the same case, which are correlated. */
  caseKey: string;
  ended: boolean;
  stopReason: string | null;
  satisfactory: boolean[];
  firstScore: number | null;
  bestScore: number | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  unpriced: boolean;
};

/**
 * Returns the report of a batch. The curves have one point per version, up to the longest run. A run that ended early keeps its final
 * state. A run without any score or verdict is left out, however it ended. Means leave out unscored runs and include the number of counted
 * ones.
 */
export function reportBatch(runs: RunOutcome[]): BatchReport {
  const known = runs.filter(hasKnownOutcome);
  const length = Math.max(0, ...known.map((run) => run.satisfactory.length));
  const positions = Array.from({ length }, (_, position) => position);
  const solved = (run: RunOutcome, position: number) => run.satisfactory.slice(0, position + 1).includes(true);
  const ever = (run: RunOutcome) => run.satisfactory.includes(true);
  const current = (run: RunOutcome, position: number) =>
    run.satisfactory[Math.min(position, run.satisfactory.length - 1)] ?? false;
  const input = sum(runs.map((run) => run.inputTokens));
  const output = sum(runs.map((run) => run.outputTokens));
  const cases = new Set(runs.map((run) => run.caseKey)).size;
  // Skips grouping if every run has its own case, because grouping is most of the work for a large batch.
  const hasOneRunPerCase = cases === runs.length;
  const solveCurve = positions.flatMap((version) => {
    const [everBy, currentAt] = [
      solvedBy(known, hasOneRunPerCase, (run) => solved(run, version)),
      solvedBy(known, hasOneRunPerCase, (run) => current(run, version)),
    ];
    return everBy === null || currentAt === null
      ? []
      : [{ version, n: known.length, ever: everBy, current: currentAt }];
  });
  return {
    total: runs.length,
    cases,
    ended: runs.filter((run) => run.ended).length,
    unscored: runs.filter((run) => run.ended && !hasKnownOutcome(run)).length,
    solved: runs.filter(ever).length,
    solvedShare: solvedOf(
      known.filter((run) => run.ended),
      hasOneRunPerCase,
      ever,
    ),
    solvedByIteration: solveCurve.map((point) => point.ever.solved),
    currentByIteration: solveCurve.map((point) => point.current.solved),
    solveCurve,
    stopReasons: stopReasonsOf(runs),
    endedByRule: endedByRule(known, hasOneRunPerCase),
    tokenUsage: { input, output, total: input + output },
    costUsd: sum(runs.map((run) => run.costUsd)),
    unpriced: runs.some((run) => run.unpriced),
    firstScore: meanOf(runs.map((run) => run.firstScore)),
    bestScore: meanOf(runs.map((run) => run.bestScore)),
    gain: meanOf(
      runs.map(({ firstScore, bestScore }) =>
        firstScore === null || bestScore === null ? null : bestScore - firstScore,
      ),
    ),
  };
}

/** Returns true if anything of the run was judged. Otherwise it is unknown if its case was solved. */
function hasKnownOutcome({ firstScore, bestScore, satisfactory }: RunOutcome): boolean {
  return firstScore !== null || bestScore !== null || satisfactory.includes(true);
}

function solvedOf(runs: RunOutcome[], hasOneRunPerCase: boolean, isSolved: (run: RunOutcome) => boolean) {
  const solved = solvedBy(runs, hasOneRunPerCase, isSolved);
  return solved === null ? null : { ...solved, n: runs.length };
}

function solvedBy(runs: RunOutcome[], hasOneRunPerCase: boolean, isSolved: (run: RunOutcome) => boolean) {
  const share = shareOf(runs, hasOneRunPerCase, isSolved);
  return share === null ? null : { solved: runs.filter(isSolved).length, ...share };
}

/**
 * Returns the share of runs that ended by a rule rather than at a limit. Runs that a person ended or that failed do not count. The runs
 * must have a score, because no rule can judge others. Null if no run counts. `hasOneRunPerCase`: every run has its own case.
 */
export function endedByRule(runs: readonly Pick<RunOutcome, 'caseKey' | 'stopReason'>[], hasOneRunPerCase: boolean) {
  const reasons: readonly (string | null)[] = [...EARLY_STOPS, ...CAP_STOPS];
  const counted = runs.filter(({ stopReason }) => reasons.includes(stopReason));
  const isEarly = ({ stopReason }: Pick<RunOutcome, 'stopReason'>) =>
    EARLY_STOPS.some((reason) => reason === stopReason);
  const share = shareOf(counted, hasOneRunPerCase, isEarly);
  return share === null ? null : { met: counted.filter(isEarly).length, n: counted.length, ...share };
}

/** Returns the share of runs that meet a condition. Runs of one case are correlated. */
function shareOf<Run extends Pick<RunOutcome, 'caseKey'>>(
  runs: readonly Run[],
  hasOneRunPerCase: boolean,
  holds: (run: Run) => boolean,
) {
  if (hasOneRunPerCase) return wilsonInterval(runs.filter(holds).length, runs.length);
  return clusteredShare(countByGroup(runs, ({ caseKey }) => caseKey, holds));
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function meanOf(values: (number | null)[]): { mean: number; n: number } | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { mean: sum(known) / known.length, n: known.length };
}

function stopReasonsOf(runs: readonly RunOutcome[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { stopReason } of runs) if (stopReason !== null) counts[stopReason] = (counts[stopReason] ?? 0) + 1;
  return counts;
}
