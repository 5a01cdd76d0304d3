import { z } from 'zod';
import { stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { type CountedShare, countedShareSchema } from './shares.ts';

/** Rules that end a loop because the result is good enough or further iterations are useless. */
export const EARLY_STOPS = stopReasonsWith(({ kind }) => kind === 'rule');
/** Rules that end a loop because a limit is reached. */
export const CAP_STOPS = stopReasonsWith(({ kind }) => kind === 'limit');
/** Target share of runs that end by a rule rather than at a limit. From the requirements document. */
export const ENDED_BY_RULE_TARGET = 0.9;

/** The five targets of the scorecard, as named in URLs and the API. Source: Reflection requirements, success criteria. */
export const TARGETS = ['final_better', 'within_three', 'issues_resolved', 'scored_alike', 'ended_by_rule'] as const;
export type Target = (typeof TARGETS)[number];

/** Required share for each target. Source: Reflection requirements, success criteria. All re-scores must be within 0.1. */
const TARGET_SHARES: Record<Target, number> = {
  final_better: 0.8,
  within_three: 0.7,
  issues_resolved: 0.85,
  scored_alike: 1,
  ended_by_rule: ENDED_BY_RULE_TARGET,
};

const MIN_TARGET_SAMPLE = 10;

/**
 * Verdicts on a target. `met`, `missed`: the whole interval is on that side. The two `_within_noise`: the share is on that side, but the
 * interval extends to the other. `too_few`: below 10. `none`: nothing to count.
 */
const TARGET_VERDICTS = ['met', 'met_within_noise', 'under_within_noise', 'missed', 'too_few', 'none'] as const;
type TargetVerdict = (typeof TARGET_VERDICTS)[number];

export const targetReadingSchema = countedShareSchema.extend({
  target: z.enum(TARGETS),
  aim: z.number().min(0).max(1).meta({ description: 'The target share.' }),
  verdict: z.enum(TARGET_VERDICTS),
  reading: z.string().meta({ description: 'The verdict as text.' }),
  because: z.string().meta({ description: 'The reason for the verdict.' }),
});
export type TargetReading = z.infer<typeof targetReadingSchema>;

/** Compares a counted share with its target. The target that all re-scores agree can only be refuted, by one that does not. */
export function readTarget(target: Target, counted: CountedShare): TargetReading {
  const aim = TARGET_SHARES[target];
  const verdict = verdictOn(counted, aim);
  return {
    target,
    ...counted,
    aim,
    verdict,
    reading: VERDICT_LABELS[verdict],
    because: reasonFor(verdict, counted, aim),
  };
}

const VERDICT_LABELS: Record<TargetVerdict, string> = {
  met: 'Met',
  met_within_noise: 'Met, within noise',
  under_within_noise: 'Below, within noise',
  missed: 'Missed',
  too_few: 'Too few to tell',
  none: 'No data yet',
};

function verdictOn({ met, of, interval }: CountedShare, aim: number): TargetVerdict {
  if (interval === null) return 'none';
  if (aim === 1 && met < of) return 'missed';
  if (of < MIN_TARGET_SAMPLE) return 'too_few';
  if (aim === 1 || interval.low >= aim) return 'met';
  if (interval.high < aim) return 'missed';
  return met >= aim * of - ROUNDING_TOLERANCE ? 'met_within_noise' : 'under_within_noise';
}

/** Tolerance, because 0.7 × 10 is slightly above 7 in floating point. */
const ROUNDING_TOLERANCE = 1e-9;

function reasonFor(verdict: TargetVerdict, { met, of, interval }: CountedShare, aim: number): string {
  const texts: Record<typeof verdict, string> = {
    none: 'no runs count so far',
    too_few: `${of} of at least ${MIN_TARGET_SAMPLE}`,
    met: aim === 1 ? 'none missed it' : 'the whole interval lies above it',
    met_within_noise: 'the interval reaches below it',
    under_within_noise: 'the interval reaches the target',
    missed: aim === 1 ? `${of - met} missed it` : `by ${pointsUnder(aim, interval?.share ?? 0)}`,
  };
  return texts[verdict];
}

function pointsUnder(aim: number, share: number): string {
  const points = Math.max(1, Math.round((aim - share) * 100));
  return points === 1 ? '1 point' : `${points} points`;
}
