import { z } from 'zod';
import { type History, PROPOSAL_PROBLEMS } from '#lib/core/history.ts';
import { weightsAt } from '#lib/core/tuning/case-weights.ts';
import { effectiveScores } from '#lib/core/tuning/cases-of.ts';
import { LEAST_EVIDENCE, type PairedEvidence, pairedEvidence } from '#lib/core/tuning/paired-evidence.ts';
import { changedLinesSchema } from './ablation.ts';
import { weightedInterval } from './intervals.ts';
import { holm } from './paired-verdict.ts';
import { meanIntervalSchema } from './shares.ts';
import { versionLift } from './tuning-gain.ts';
import { SIGNIFICANT } from './write-chance.ts';

export const ABLATION_STATUSES = ['waiting', 'done', 'stopped', 'failed'] as const;
export type AblationStatus = (typeof ABLATION_STATUSES)[number];

const CONTRIBUTIONS = ['helps', 'hurts', 'no_difference', 'not_enough_evidence'] as const;
/** The verdict on a part of a prompt. `no_difference`: no case scores differently without it. */
export type Contribution = (typeof CONTRIBUTIONS)[number];

/** A part without effect is called so where it is the same on this many cases. */
const LEAST_SAME = 10;

const count = z.int().min(0);
const score = z.number();

const partReportSchema = changedLinesSchema.extend({
  /** Cases that the prompt is scored on with the part and without it. */
  n: count,
  /** Mean score with the part less that without it, over these cases: what the part contributes. Null without cases. */
  contribution: score.nullable(),
  /** The 95 % interval of the contribution, not adjusted for the number of parts. Null for fewer than two cases. */
  low: score.nullable(),
  high: score.nullable(),
  /** Cases that score higher with the part, lower, and the same. */
  better: count,
  worse: count,
  same: count,
  /** Two-sided, of the exact sign test; null for fewer than 4 cases. */
  p: z.number().nullable(),
  /** `p` after Holm's correction for all parts that are compared. The verdict uses it. */
  pHolm: z.number().nullable(),
  verdict: z.enum(CONTRIBUTIONS),
});
export type PartReport = z.infer<typeof partReportSchema>;

export const ablationReportSchema = z.object({
  /** The prompt that is measured. */
  version: count,
  status: z.enum(ABLATION_STATUSES),
  /** Why it failed; null if it did not. */
  message: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  maxTries: count,
  /** Tries so far. */
  tries: count,
  /** Cases tried so far, of those that candidates are validated on. */
  cases: count,
  tokens: count,
  costUsd: z.number(),
  /** Some call has no known price. */
  unpriced: z.boolean(),
  /** Mean of the whole prompt, tried anew. */
  whole: meanIntervalSchema.nullable(),
  parts: z.array(partReportSchema),
});
export type AblationReport = z.infer<typeof ablationReportSchema>;

const ablationPlanSchema = z.object({
  version: count,
  parts: z.array(changedLinesSchema),
  /** Changes that cannot be removed alone, and why. */
  fixed: z.array(changedLinesSchema.extend({ kind: z.enum(PROPOSAL_PROBLEMS), problem: z.string() })),
  /** Cases that candidates are validated on. */
  cases: count,
  validatesOn: z.enum(['train', 'validation']),
  /** Fewest tries that can show that a part helps or hurts, and those of all cases. */
  leastTries: count,
  mostTries: count,
  /** Most calls of models for each try. */
  callsPerTry: count,
  /** Average cost of the run's tries with the model and temperature of the prompt; null without prices. */
  costPerTryUsd: z.number().nullable(),
});
export type AblationPlanReport = z.infer<typeof ablationPlanSchema>;

/**
 * Compares the prompt with each part and without it, case by case. `history` is that of the ablation (`ablationHistory`). The whole prompt
 * was tried anew: the scores that it was chosen by are too high, because it was chosen by them.
 */
export function contributions(history: History, positions: readonly number[]) {
  const compared = history.versions.slice(1).map(({ number }) => pairedEvidence(history, 0, number, positions));
  const adjusted = holm(compared.map(({ n, p }) => (n < LEAST_EVIDENCE ? null : p)));
  return {
    whole: wholeScore(history, positions),
    parts: compared.map((evidence, place) => {
      const { against, n, better, worse, same, p } = evidence;
      const { lift, low, high } = versionLift(history, 0, against, positions);
      const pHolm = adjusted[place] ?? null;
      return {
        ...{ n, better, worse, same, p: n < LEAST_EVIDENCE ? null : p, pHolm },
        ...{ contribution: lift, low, high, verdict: verdictOf(evidence, pHolm) },
      };
    }),
  };
}

function wholeScore(history: History, positions: readonly number[]) {
  const tries = effectiveScores(history, 0);
  const scored = positions.flatMap((position) => {
    const score = tries.get(position)?.score ?? null;
    return score === null ? [] : [{ position, score }];
  });
  const weights = weightsAt(
    history,
    scored.map(({ position }) => position),
  );
  return weightedInterval(
    scored.map(({ score }) => score),
    weights,
  );
}

function verdictOf({ n, same, verdict }: PairedEvidence, pHolm: number | null): Contribution {
  if (n >= LEAST_SAME && same === n) return 'no_difference';
  if (verdict === 'not_enough_evidence' || pHolm === null || pHolm >= SIGNIFICANT) return 'not_enough_evidence';
  return verdict === 'better' ? 'helps' : 'hurts';
}

/** The plan to measure the changes of a run's winning prompt, else the reason why they cannot be, and the report of what was measured. */
export const ablationViewSchema = z.object({
  plan: ablationPlanSchema.nullable(),
  problem: z.string().nullable(),
  report: ablationReportSchema.nullable(),
});
export type AblationView = z.infer<typeof ablationViewSchema>;
