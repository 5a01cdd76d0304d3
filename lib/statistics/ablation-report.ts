import { z } from 'zod';
import { type History, PROPOSAL_PROBLEMS } from '#lib/core/history.ts';
import { effectiveScores } from '#lib/core/tuning/case-scores.ts';
import { MIN_PAIRED_CASES, type PairedEvidence, pairedEvidence } from '#lib/core/tuning/paired-evidence.ts';
import { changedLinesSchema } from './ablation.ts';
import { SIGNIFICANT } from './format-statistics.ts';
import { holm } from './paired-verdict.ts';
import { meanIntervalSchema } from './shares.ts';
import { scoreInterval, versionLift } from './tuning-gain.ts';

export const ABLATION_STATUSES = ['waiting', 'done', 'stopped', 'failed'] as const;
export type AblationStatus = (typeof ABLATION_STATUSES)[number];

const CONTRIBUTIONS = ['helps', 'hurts', 'no_difference', 'not_enough_evidence'] as const;
/** The verdict on a part of a prompt. `no_difference`: no case scores differently without it. */
export type Contribution = (typeof CONTRIBUTIONS)[number];

/** Minimum number of cases with equal scores for the verdict that a part has no effect. */
const MIN_EQUAL_CASES = 10;

const count = z.int().min(0);
const score = z.number();

const partReportSchema = changedLinesSchema.extend({
  /** Number of cases scored both with the part and without it. */
  n: count,
  /** Contribution of the part: mean score with it minus mean score without it, over these cases. Null without cases. */
  contribution: score.nullable(),
  /** 95 % interval of the contribution, not adjusted for the number of parts. Null for fewer than two cases. */
  low: score.nullable(),
  high: score.nullable(),
  /** Number of cases that score higher, lower and the same with the part. */
  better: count,
  worse: count,
  same: count,
  /** Two-sided p of the exact sign test. Null for fewer than 4 cases. */
  p: z.number().nullable(),
  /** `p` after Holm's correction for all compared parts. The verdict uses it. */
  pHolm: z.number().nullable(),
  verdict: z.enum(CONTRIBUTIONS),
});
export type PartReport = z.infer<typeof partReportSchema>;

export const ablationReportSchema = z.object({
  /** Version number of the measured prompt. */
  version: count,
  status: z.enum(ABLATION_STATUSES),
  /** Reason it failed, or null if it did not. */
  message: z.string().nullable(),
  requestedBy: z.string(),
  requestedAt: z.string(),
  maxTries: count,
  /** Number of example scores so far. */
  tries: count,
  /** Number of validation cases scored so far. */
  cases: count,
  tokens: count,
  costUsd: z.number(),
  /** True if the price of some call is unknown. */
  unpriced: z.boolean(),
  /** Mean score of the whole prompt, scored again for the ablation. */
  whole: meanIntervalSchema.nullable(),
  parts: z.array(partReportSchema),
});
export type AblationReport = z.infer<typeof ablationReportSchema>;

const ablationPlanSchema = z.object({
  version: count,
  parts: z.array(changedLinesSchema),
  /** Changes that cannot be removed separately, each with the reason. */
  fixed: z.array(changedLinesSchema.extend({ kind: z.enum(PROPOSAL_PROBLEMS), problem: z.string() })),
  /** Number of cases on which candidates are validated. */
  cases: count,
  validatesOn: z.enum(['train', 'validation']),
  /** Minimum number of example scores that can show that a part helps or hurts. `mostTries` is the number for all cases. */
  leastTries: count,
  mostTries: count,
  /** Maximum number of model calls per example score. */
  callsPerTry: count,
  /** Average cost of the run's example scores with the model and temperature of the prompt. Null without prices. */
  costPerTryUsd: z.number().nullable(),
});
export type AblationPlanReport = z.infer<typeof ablationPlanSchema>;

/**
 * Compares the prompt with and without each part, case by case. `history` is that of the ablation (`ablationHistory`). The whole prompt is
 * scored again, because the scores that selected it are biased upwards.
 */
export function contributions(history: History, positions: readonly number[]) {
  const compared = history.versions.slice(1).map(({ number }) => pairedEvidence(history, 0, number, positions));
  const tries = effectiveScores(history, 0);
  const adjusted = holm(compared.map(({ n, p }) => (n < MIN_PAIRED_CASES ? null : p)));
  return {
    whole: scoreInterval(
      history,
      positions.flatMap((position) => tries.get(position) ?? []),
    ),
    parts: compared.map((evidence, index) => {
      const { against, n, better, worse, same, p } = evidence;
      const { lift, low, high } = versionLift(history, 0, against, positions);
      const pHolm = adjusted[index] ?? null;
      return {
        ...{ n, better, worse, same, p: n < MIN_PAIRED_CASES ? null : p, pHolm },
        ...{ contribution: lift, low, high, verdict: verdictOf(evidence, pHolm) },
      };
    }),
  };
}

function verdictOf({ n, same, verdict }: PairedEvidence, pHolm: number | null): Contribution {
  if (n >= MIN_EQUAL_CASES && same === n) return 'no_difference';
  if (verdict === 'not_enough_evidence' || pHolm === null || pHolm >= SIGNIFICANT) return 'not_enough_evidence';
  return verdict === 'better' ? 'helps' : 'hurts';
}

/** The plan to measure the changes of a run's winning prompt, or the reason they cannot be measured, and the report of the measurement. */
export const ablationViewSchema = z.object({
  plan: ablationPlanSchema.nullable(),
  problem: z.string().nullable(),
  report: ablationReportSchema.nullable(),
});
export type AblationView = z.infer<typeof ablationViewSchema>;
