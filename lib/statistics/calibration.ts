import { mean } from 'simple-statistics';
import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { signTest } from '#lib/core/sign-test.ts';
import { Z_95 } from '#lib/core/student-t.ts';
import { SIGNIFICANT } from './format-statistics.ts';
import { type MeanInterval, weightedInterval } from './intervals.ts';
import type { JudgedPair } from './judged-pairs.ts';
import {
  countByGroup,
  countedShareSchema,
  effectiveCount,
  meanIntervalSchema,
  type SummedShare,
  summedShare,
  sumShares,
} from './shares.ts';

/** Correlation of two rankings: 1 = the same, 0 = unrelated, −1 = reversed. No bounds for fewer than four pairs, or for ρ = ±1. */
const rankCorrelationSchema = z.object({
  n: z.int().min(2),
  rho: z.number().min(-1).max(1),
  low: z.number().min(-1).max(1).nullable(),
  high: z.number().min(-1).max(1).nullable(),
});
type RankCorrelation = z.infer<typeof rankCorrelationSchema>;

/**
 * Returns Spearman's rank correlation. Equal values share their mean rank. The 95 % interval uses Fisher's z with the standard error of
 * ranks. Null for fewer than two pairs, or if all values on one side are equal. `effective`: the effective number of independent pairs if
 * some are correlated, by default all. Sources: Spearman 1904; Bonett and Wright 2000.
 */
export function spearman(
  pairs: readonly (readonly [number, number])[],
  effective = pairs.length,
): RankCorrelation | null {
  const n = pairs.length;
  if (n < 2) return null;
  const ones = ranks(pairs.map(([one]) => one));
  const others = ranks(pairs.map(([, other]) => other));
  const middle = (n + 1) / 2;
  let [product, squares1, squares2] = [0, 0, 0];
  for (let index = 0; index < n; index++) {
    const one = (ones[index] ?? middle) - middle;
    const other = (others[index] ?? middle) - middle;
    product += one * other;
    squares1 += one * one;
    squares2 += other * other;
  }
  if (squares1 === 0 || squares2 === 0) return null;
  const rho = Math.max(-1, Math.min(1, product / Math.sqrt(squares1 * squares2)));
  // Fisher's z of a perfect correlation is infinite, so an interval would have no width however few pairs there are.
  if (effective < 4 || roundTo6(Math.abs(rho)) === 1) return { n, rho: roundTo6(rho), low: null, high: null };
  const half = Z_95 * Math.sqrt((1 + rho ** 2 / 2) / (effective - 3));
  const bound = (by: number) => roundTo6(Math.tanh(Math.atanh(rho) + by));
  return { n, rho: roundTo6(rho), low: bound(-half), high: bound(half) };
}

/** Returns ranks from 1. Equal values share their mean rank. */
function ranks(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const ranked = new Map<number, number>();
  let from = 0;
  while (from < sorted.length) {
    const value = sorted[from] ?? 0;
    let to = from + 1;
    while (to < sorted.length && sorted[to] === value) to++;
    ranked.set(value, (from + 1 + to) / 2);
    from = to;
  }
  return values.map((value) => ranked.get(value) ?? 0);
}

/** Mean squared error of scores against outcomes: 0 is best, 1 worst. `guessing` is the best error that a constant forecast can reach. */
const brierSchema = meanIntervalSchema.extend({ guessing: z.number().min(0).max(0.25) });
type Brier = MeanInterval & { guessing: number };

/** A forecast from 0 to 1 of a yes or no outcome. Forecasts of one run are correlated. */
type Forecast = { runId: string; chance: number; cameTrue: boolean };

/**
 * Returns the Brier score of forecasts with its 95 % interval, or null without forecasts. The interval is that of the mean over runs,
 * weighted by their forecasts. Source: Brier 1950, for two outcomes.
 */
export function brier(forecasts: readonly Forecast[]): Brier | null {
  const runs = [...Map.groupBy(forecasts, ({ runId }) => runId).values()];
  const sizes = runs.map(({ length }) => length);
  const interval = weightedInterval(
    runs.map((ofRun) => mean(ofRun.map(({ chance, cameTrue }) => (chance - (cameTrue ? 1 : 0)) ** 2))),
    sizes.every((size) => size === sizes[0]) ? null : sizes,
  );
  if (interval === null) return null;
  const base = forecasts.filter(({ cameTrue }) => cameTrue).length / forecasts.length;
  return { ...interval, n: forecasts.length, guessing: roundTo6(base * (1 - base)) };
}

/**
 * Chance-corrected agreement of two raters: 1 = always, 0 = as often as by chance, below 0 = less often. No bounds if the standard error
 * is 0, because the interval would then look certain.
 */
export const kappaSchema = z.object({
  n: z.int().min(1),
  kappa: z.number().min(-1).max(1),
  low: z.number().min(-1).max(1).nullable(),
  high: z.number().min(-1).max(1).nullable(),
});
type Kappa = z.infer<typeof kappaSchema>;

/** Counts of two yes/no judgements of the same items: both yes, only the first, only the second, neither. */
export type YesNoCounts = { both: number; onlyFirst: number; onlySecond: number; neither: number };

/**
 * Returns Cohen's kappa with its 95 % interval, clipped to −1 and 1. Null if nothing was judged, or if both gave one and the same answer
 * for everything, because then chance alone explains the agreement. The interval is the large-sample one after each of the four counts is
 * raised by one half, extended to kappa. Without that, 10 judgements that mostly agree cover the true kappa in 2 of 3 samples only. There
 * is none if the standard error of the counts is 0: they always agree, one always gave the same answer, or they always disagree and each
 * gave both answers equally often. `effective`: the effective number of independent judgements if some are correlated, by default all.
 * Sources: Cohen 1960; Fleiss, Cohen and Everitt 1969 (standard error); Gart and Zweifel 1967 (raised counts).
 */
export function cohenKappa(
  counts: YesNoCounts,
  effective = counts.both + counts.onlyFirst + counts.onlySecond + counts.neither,
): Kappa | null {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const n = both + onlyFirst + onlySecond + neither;
  const found = n === 0 ? null : kappaWithError(counts, n);
  if (found === null) return null;
  const kappa = roundTo6(found.kappa);
  if (found.error < ROUNDING_TOLERANCE) return { n, kappa, low: null, high: null };
  const raised = (count: number) => (count / n) * effective + 0.5;
  const { kappa: middle, error } =
    kappaWithError(
      {
        both: raised(both),
        onlyFirst: raised(onlyFirst),
        onlySecond: raised(onlySecond),
        neither: raised(neither),
      },
      effective + 2,
    ) ?? found;
  const low = roundTo6(Math.max(-1, Math.min(kappa, middle - Z_95 * error)));
  const high = roundTo6(Math.min(1, Math.max(kappa, middle + Z_95 * error)));
  return { n, kappa, low, high };
}

/** Returns a sentence that explains why kappa has no interval (see `cohenKappa`). Null if it has one. */
export function whyNoInterval({ kappa, low, high }: Pick<Kappa, 'kappa' | 'low' | 'high'>): string | null {
  if (low !== null && high !== null) return null;
  if (kappa === 1) return 'Kappa has no interval, because both always gave the same answer.';
  if (kappa === -1) return 'Kappa has no interval, because the two always gave opposite answers.';
  return 'Kappa is 0 and has no interval, because one of the two always gave the same answer. Whether they agree beyond chance is unknown.';
}

/** Returns kappa with its standard error, or null if both gave one and the same answer for everything. `n`: the sum of the counts. */
function kappaWithError({ both, onlyFirst, onlySecond, neither }: YesNoCounts, n: number) {
  const [yes1, yes2] = [(both + onlyFirst) / n, (both + onlySecond) / n];
  const [no1, no2] = [1 - yes1, 1 - yes2];
  const observed = (both + neither) / n;
  const byChance = yes1 * yes2 + no1 * no2;
  if (1 - byChance < ROUNDING_TOLERANCE) return null;
  const kappa = (observed - byChance) / (1 - byChance);
  const agreed =
    (both / n) * (1 - (yes1 + yes2) * (1 - kappa)) ** 2 + (neither / n) * (1 - (no1 + no2) * (1 - kappa)) ** 2;
  const parted = (1 - kappa) ** 2 * ((onlyFirst / n) * (yes2 + no1) ** 2 + (onlySecond / n) * (no2 + yes1) ** 2);
  const centre = (kappa - byChance * (1 - kappa)) ** 2;
  const variance = agreed + parted - centre;
  return { kappa, error: variance < ROUNDING_TOLERANCE ? 0 : Math.sqrt(variance / n) / (1 - byChance) };
}

const ROUNDING_TOLERANCE = 1e-12;

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Judgements by the pass verdicts of the judge and of the ground truth. */
const confusionSchema = z.object({
  bothGood: count,
  letThrough: count.meta({ description: 'Judged good by the judge, but not by the ground truth.' }),
  heldBack: count.meta({ description: 'Good by the ground truth, but not by the judge.' }),
  neitherGood: count,
});
type Confusion = z.infer<typeof confusionSchema>;

/** Reliability of a judging model, compared with people or with checks against a known correct answer. */
export const calibrationSchema = z.object({
  against: z.enum(['person', 'check']),
  n: count,
  runs: count,
  sameModel: count.meta({ description: 'Number of the n judgements in which the judge model also wrote the text.' }),
  confusion: confusionSchema.meta({ description: 'At the thresholds of the settings.' }),
  agreement: countedShareSchema,
  kappa: kappaSchema.nullable().meta({ description: 'Null if one side gave the same answer for everything.' }),
  spearman: rankCorrelationSchema.nullable().meta({ description: 'Over judgements whose truth is a score.' }),
  brier: brierSchema.nullable().meta({ description: 'The judge’s score as the chance that the truth is good.' }),
  lean: z
    .object({ verdict: z.enum(['lenient', 'strict', 'within_noise']), p: share })
    .meta({ description: 'Whether it is more lenient than strict, by McNemar’s exact test.' }),
  /** Bins of width 0.1 of the judge's score, without empty ones. */
  bins: z.array(countedShareSchema.extend({ from: share, to: share })),
  /** Results of other thresholds for the judge's scores. */
  whatIf: z.array(confusionSchema.extend({ threshold: share, agreed: count })),
  tooFewToTell: z.boolean().meta({ description: 'Below 10 judgements.' }),
  reading: z.string(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** A judged pair with the ID of its run. */
export type JudgedInRun = JudgedPair & { runId: string };

const MIN_JUDGEMENTS = 10;
const BINS = 10;
const STEPS = 20;

/**
 * Summarizes judgements of one kind. Judgements of one run are correlated, so intervals use the effective number, which is derived from the
 * variation of agreement between runs.
 */
export function calibration(against: Calibration['against'], pairs: readonly JudgedInRun[]): Calibration {
  const judged = pairs.filter(({ by }) => by === against);
  const confusion = confusionOf(judged, ({ judgePass }) => judgePass);
  const { bothGood, letThrough, heldBack, neitherGood } = confusion;
  const p = signTest(letThrough, heldBack);
  const agreed = byRun(judged, ({ judgePass, truthPass }) => judgePass === truthPass);
  const effective = judged.length === 0 ? 0 : effectiveCount(agreed);
  const scored = judged.flatMap(({ judge, truth }) => (truth === null ? [] : [[judge, truth] as const]));
  const summed = {
    against,
    n: judged.length,
    runs: new Set(judged.map(({ runId }) => runId)).size,
    sameModel: judged.filter(({ sameModel }) => sameModel).length,
    confusion,
    agreement: summedShare(agreed),
    kappa: cohenKappa({ both: bothGood, onlyFirst: letThrough, onlySecond: heldBack, neither: neitherGood }, effective),
    spearman: spearman(scored, scored.length * (effective / judged.length)),
    brier: brier(judged.map(({ runId, judge, truthPass }) => ({ runId, chance: judge, cameTrue: truthPass }))),
    lean: { verdict: p >= SIGNIFICANT ? 'within_noise' : letThrough > heldBack ? 'lenient' : 'strict', p },
    bins: binsOf(judged),
    whatIf: whatIfOf(judged),
    tooFewToTell: judged.length < MIN_JUDGEMENTS,
  } satisfies Omit<Calibration, 'reading'>;
  return { ...summed, reading: readingOf(summed) };
}

function confusionOf(judged: readonly JudgedInRun[], isGood: (pair: JudgedInRun) => boolean): Confusion {
  const confusion = { bothGood: 0, letThrough: 0, heldBack: 0, neitherGood: 0 };
  for (const pair of judged) {
    if (isGood(pair)) confusion[pair.truthPass ? 'bothGood' : 'letThrough']++;
    else confusion[pair.truthPass ? 'heldBack' : 'neitherGood']++;
  }
  return confusion;
}

function byRun(judged: readonly JudgedInRun[], holds: (pair: JudgedInRun) => boolean): SummedShare {
  return sumShares(countByGroup(judged, ({ runId }) => runId, holds));
}

function binsOf(judged: readonly JudgedInRun[]): Calibration['bins'] {
  // A score of 0.3 belongs to the bin that starts there, despite rounding errors in 0.3 × 10. A score of 1 belongs to the last bin.
  const bins = Map.groupBy(judged, ({ judge }) => Math.min(BINS - 1, Math.floor(roundTo6(judge * BINS))));
  return [...bins]
    .sort(([one], [other]) => one - other)
    .map(([bin, ofBin]) => ({
      ...summedShare(byRun(ofBin, ({ truthPass }) => truthPass)),
      from: bin / BINS,
      to: (bin + 1) / BINS,
    }));
}

function whatIfOf(judged: readonly JudgedInRun[]): Calibration['whatIf'] {
  if (judged.length === 0) return [];
  const byStep = Map.groupBy(judged, ({ judge }) => Math.floor(roundTo6(judge * STEPS)));
  let { bothGood, letThrough, heldBack, neitherGood } = confusionOf(judged, () => true);
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    // Each threshold also holds back the scores between the one before and itself.
    const more = confusionOf(byStep.get(step - 1) ?? [], () => false);
    bothGood -= more.heldBack;
    heldBack += more.heldBack;
    letThrough -= more.neitherGood;
    neitherGood += more.neitherGood;
    return { threshold: step / STEPS, bothGood, letThrough, heldBack, neitherGood, agreed: bothGood + neitherGood };
  });
}

function readingOf({ against, n, kappa, lean, confusion }: Omit<Calibration, 'reading'>): string {
  const truth = against === 'person' ? 'people' : 'checks';
  if (n === 0) return `Nothing to compare with ${truth} yet.`;
  if (n < MIN_JUDGEMENTS) return `Too few judgements to tell: ${n} of at least ${MIN_JUDGEMENTS}.`;
  return `${agreementIn(kappa, truth)} ${LEANS[lean.verdict](confusion)}`;
}

function agreementIn(kappa: Calibration['kappa'], truth: string): string {
  if (kappa === null || (kappa.kappa === 0 && kappa.low === null))
    return `Whether it agrees with ${truth} beyond chance is unknown, because one side always gave the same judgement.`;
  if (kappa.low === null || kappa.high === null)
    return `It ${kappa.kappa > 0 ? 'agrees' : 'disagrees'} with ${truth} in all judgements, so kappa has no interval.`;
  if (kappa.low > 0) return `It agrees with ${truth} more often than by chance.`;
  if (kappa.high < 0) return `It agrees with ${truth} less often than by chance.`;
  return `Whether it agrees with ${truth} beyond chance is within noise.`;
}

const LEANS: Record<Calibration['lean']['verdict'], (confusion: Confusion) => string> = {
  lenient: ({ letThrough, heldBack }) => `Too lenient: ${passesOf(letThrough)}, ${failuresOf(heldBack)}.`,
  strict: ({ letThrough, heldBack }) => `Too strict: ${failuresOf(heldBack)}, ${passesOf(letThrough)}.`,
  within_noise: ({ letThrough, heldBack }) =>
    `Neither too lenient nor too strict beyond noise: ${passesOf(letThrough)}, ${failuresOf(heldBack)}.`,
};

const passesOf = (count: number) => (count === 1 ? '1 false pass' : `${count} false passes`);
const failuresOf = (count: number) => (count === 1 ? '1 false failure' : `${count} false failures`);
