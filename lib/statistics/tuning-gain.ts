import { z } from 'zod';
import { bestVersion } from '#lib/core/best-version.ts';
import type { ExampleScore, History } from '#lib/core/history.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { candidates } from '#lib/core/tuning/candidate-state.ts';
import { effectiveScores, positionsOf, validationPositions } from '#lib/core/tuning/case-scores.ts';
import { weightsAt } from '#lib/core/tuning/case-weights.ts';
import { finalTest, type SequentialVerdict } from '#lib/core/tuning/final-test.ts';
import { EVIDENCE_VERDICTS, type EvidenceVerdict, pairedEvidence } from '#lib/core/tuning/paired-evidence.ts';
import { SIGNIFICANT } from './format-statistics.ts';
import { type MeanInterval, weightedInterval } from './intervals.ts';
import { pairedLift } from './paired-lift.ts';
import { type PairedLift, pairedLiftSchema } from './paired-lift-schema.ts';

const gainSchema = pairedLiftSchema
  .pick({ n: true, lift: true, low: true, high: true, isNoise: true })
  .extend({
    /**
     * Two-sided p of the exact sign test, weighted if the weights of cases differ. On the validation cases it is multiplied by the number
     * of candidates to choose from.
     */
    p: z.number().min(0).max(1),
    verdict: z.enum(EVIDENCE_VERDICTS),
    /** Number of pairs used by the sequential test. Null if scores do not vary, in which case each prompt is scored once per case. */
    pairs: z.int().nullable(),
  })
  .nullable();

/**
 * Gain of a prompt over the given one, case by case over the same cases, for the validation and the held-out cases. Null until both prompts
 * are scored on each case of the kind.
 */
export const tuningGainSchema = z.object({ version: z.int(), chosenBy: gainSchema, heldOut: gainSchema });
export type TuningGain = z.infer<typeof tuningGainSchema>;

/**
 * Returns the gain of the accepted prompt, otherwise of the best so far, with paired 95 % intervals. Null while that is the given prompt.
 * It is `better` or `worse` only if p is below 0.05 and the interval excludes 0, otherwise it is noise.
 * The best of several candidates is partly selected by luck, so p on the validation cases is corrected for their number (Bonferroni). If
 * scores vary between repetitions, the verdict on the held-out cases is `better` if the final test shows it and the interval excludes 0,
 * never by p. If cases have weights, everything is weighted.
 */
export function tuningGain(history: History, settings: ExperimentSettings): TuningGain | null {
  const accepted = history.decisions.findLast(({ decision }) => decision === 'accept')?.version ?? null;
  const version = accepted ?? bestVersion(history, settings.bestVersion);
  if (version === null || version === 0) return null;
  const gainOn = (positions: readonly number[], choices: number, test: SequentialVerdict | null) => {
    const lift = versionLift(history, version, 0, positions);
    if (lift.n === 0 || lift.unscored > 0) return null;
    const { n, lift: mean, low, high } = lift;
    const evidence = pairedEvidence(history, version, 0, positions);
    const p = Math.min(1, evidence.p * choices);
    const isShown = evidence.verdict !== 'not_enough_evidence' && p < SIGNIFICANT && !lift.isNoise;
    const bySign = isShown ? evidence.verdict : NOT_ENOUGH;
    const verdict =
      test === null || bySign === 'worse' ? bySign : test.verdict === 'better' && !lift.isNoise ? 'better' : NOT_ENOUGH;
    return { n, lift: mean, low, high, isNoise: verdict === NOT_ENOUGH, p, verdict, pairs: test?.n ?? null };
  };
  const choices = Math.max(1, candidates(history).filter(({ number }) => number !== 0).length);
  return {
    version,
    chosenBy: gainOn(validationPositions(history), choices, null),
    heldOut: gainOn(positionsOf(history, 'held_out'), 1, finalTest(history, settings, version)),
  };
}

const NOT_ENOUGH: EvidenceVerdict = 'not_enough_evidence';

/** Returns the mean of example scores with its 95 % interval, weighted by case. Unscored ones do not count. Null without scores. */
export function scoreInterval(history: History, tries: readonly ExampleScore[]): MeanInterval | null {
  const scored = tries.filter(({ score }) => score !== null);
  const positions = scored.map(({ position }) => position);
  const scores = scored.flatMap(({ score }) => score ?? []);
  return weightedInterval(scores, weightsAt(history, positions));
}

/** Compares the scores of a version with those of another, case by case over these cases, with their weights. */
export function versionLift(
  history: History,
  version: number,
  against: number,
  positions: readonly number[],
): PairedLift {
  const [before, after] = [effectiveScores(history, against), effectiveScores(history, version)];
  const weights = weightsAt(history, positions);
  return pairedLift(
    positions.map((position, index) => ({
      case: String(position),
      ...(weights !== null && { weight: weights[index] }),
      without: before.get(position)?.score ?? null,
      with: after.get(position)?.score ?? null,
    })),
    `gain of version ${version}`,
  );
}
