import { z } from 'zod';
import { roundTo6 } from '#lib/core/round.ts';
import { brier, brierSchema } from './brier.ts';
import { cohenKappa, kappaSchema } from './cohen-kappa.ts';
import { countedShareSchema } from './counted-share.ts';
import type { JudgedPair } from './digest-run.ts';
import { exactMcNemar } from './exact-mcnemar.ts';
import { SIGNIFICANT } from './significant.ts';
import { rankCorrelationSchema, spearman } from './spearman.ts';
import { effectiveCount, type SummedShare, summedShare, sumShares } from './summed-share.ts';

const count = z.int().min(0);
const share = z.number().min(0).max(1);

/** Judgements by whether the judge and the truth call the version good. */
const confusionSchema = z.object({
  bothGood: count,
  letThrough: count.meta({ description: 'Good by the judge, not by the truth.' }),
  heldBack: count.meta({ description: 'Good by the truth, not by the judge.' }),
  neitherGood: count,
});
type Confusion = z.infer<typeof confusionSchema>;

/** How far a judging model can be believed: its word held against people's, or against checks that know the right answer. */
export const calibrationSchema = z.object({
  against: z.enum(['person', 'check']),
  n: count,
  runs: count,
  sameModel: count.meta({ description: 'Of n: the judge wrote the text itself.' }),
  confusion: confusionSchema.meta({ description: 'At the thresholds of the settings.' }),
  agreement: countedShareSchema,
  kappa: kappaSchema.nullable().meta({ description: 'Null where one side said the same of everything.' }),
  spearman: rankCorrelationSchema.nullable().meta({ description: 'Over judgements whose truth is a score.' }),
  brier: brierSchema.nullable().meta({ description: 'The judge’s score as the chance that the truth is good.' }),
  lean: z
    .object({ verdict: z.enum(['lenient', 'strict', 'within_noise']), p: share })
    .meta({ description: 'Whether it lets through more than it holds back, by McNemar’s exact test.' }),
  /** Steps of 0.1 of the judge's score; empty ones are left out. */
  bins: z.array(countedShareSchema.extend({ from: share, to: share })),
  /** What other thresholds would make of the judge's scores alone. */
  whatIf: z.array(confusionSchema.extend({ threshold: share, agreed: count })),
  tooFewToTell: z.boolean().meta({ description: 'Below 10 judgements.' }),
  reading: z.string(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** A pair and the run it is of. */
export type JudgedInRun = JudgedPair & { runId: string };

/** Below this number of judgements nothing is concluded. */
const LEAST_JUDGEMENTS = 10;
const BINS = 10;
const STEPS = 20;

/** Sums judgements of one kind up. Those of one run are alike: intervals go by the effective number, taken from how agreement varies between runs. */
export function calibration(against: Calibration['against'], pairs: readonly JudgedInRun[]): Calibration {
  const judged = pairs.filter(({ by }) => by === against);
  const confusion = confusionOf(judged, ({ judgePass }) => judgePass);
  const { bothGood, letThrough, heldBack, neitherGood } = confusion;
  const p = exactMcNemar(letThrough, heldBack);
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
    brier: brier(
      judged.map(({ judge, truthPass }) => ({ chance: judge, cameTrue: truthPass })),
      effective,
    ),
    lean: { verdict: p >= SIGNIFICANT ? 'within_noise' : letThrough > heldBack ? 'lenient' : 'strict', p },
    bins: binsOf(judged),
    whatIf: whatIfOf(judged),
    tooFewToTell: judged.length < LEAST_JUDGEMENTS,
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

/** Sums of how many judgements hold something, over the runs they are of. */
function byRun(judged: readonly JudgedInRun[], holds: (pair: JudgedInRun) => boolean): SummedShare {
  const runs = new Map<string, { met: number; of: number }>();
  for (const pair of judged) {
    const run = runs.get(pair.runId) ?? { met: 0, of: 0 };
    run.of++;
    if (holds(pair)) run.met++;
    runs.set(pair.runId, run);
  }
  return sumShares(runs.values());
}

function binsOf(judged: readonly JudgedInRun[]): Calibration['bins'] {
  // A score of 0.3 belongs to the step that begins there, whatever 0.3 × 10 comes to; one of 1 to the last.
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
  const good = new Array<number>(STEPS + 1).fill(0);
  const notGood = new Array<number>(STEPS + 1).fill(0);
  for (const { judge, truthPass } of judged) {
    const counts = truthPass ? good : notGood;
    const step = Math.floor(roundTo6(judge * STEPS));
    counts[step] = (counts[step] ?? 0) + 1;
  }
  return good.map((_, step) => {
    const [bothGood, letThrough] = [sumOf(good.slice(step)), sumOf(notGood.slice(step))];
    const [heldBack, neitherGood] = [sumOf(good.slice(0, step)), sumOf(notGood.slice(0, step))];
    return { threshold: step / STEPS, bothGood, letThrough, heldBack, neitherGood, agreed: bothGood + neitherGood };
  });
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function readingOf({ against, n, kappa, lean, confusion }: Omit<Calibration, 'reading'>): string {
  const truth = against === 'person' ? 'people' : 'checks';
  if (n === 0) return `Nothing to hold against ${truth} yet.`;
  if (n < LEAST_JUDGEMENTS) return `Too few judgements to tell: ${n} of at least ${LEAST_JUDGEMENTS}.`;
  return `${agreementIn(kappa, truth)} ${LEANS[lean.verdict](confusion)}`;
}

function agreementIn(kappa: Calibration['kappa'], truth: string): string {
  if (kappa === null)
    return `Nothing tells whether it agrees with ${truth} beyond chance: one side said the same of everything.`;
  if (kappa.low > 0) return `It agrees with ${truth} more often than by chance.`;
  if (kappa.high < 0) return `It agrees with ${truth} less often than by chance.`;
  return `Whether it agrees with ${truth} beyond chance is within noise.`;
}

const LEANS: Record<Calibration['lean']['verdict'], (confusion: Confusion) => string> = {
  lenient: ({ letThrough, heldBack }) => `Too lenient: it let ${letThrough} through and held ${heldBack} back.`,
  strict: ({ letThrough, heldBack }) => `Too strict: it held ${heldBack} back and let ${letThrough} through.`,
  within_noise: ({ letThrough, heldBack }) =>
    `It let ${letThrough} through and held ${heldBack} back: a lean to either side is within noise.`,
};
