import { z } from 'zod';
import { type StopReason, stopReasonsWith } from '#lib/core/stop-reasons.ts';
import { type CountedShare, countedShareSchema } from './shares.ts';
import { type Interval, wilsonInterval } from './wilson-interval.ts';

/** Rules that end a loop because it is good enough, or because going on is of no use. */
export const EARLY_STOPS = stopReasonsWith(({ kind }) => kind === 'rule');
/** Rules that end it because there may be no more. */
export const CAP_STOPS = stopReasonsWith(({ kind }) => kind === 'limit');
/** What share of runs is to end by a rule rather than at a cap: the target of the source document. */
export const ENDED_BY_RULE_TARGET = 0.9;

/**
 * How many runs ended when they were good enough or going on was of no use, rather than at a cap, out of how many stopped for which reason.
 * Runs that a person ended, or that failed, count neither way; of those of which nothing was scored no rule can tell, so they are not to be
 * among the reasons. Null where none counts.
 */
export function endedByRule(
  stopReasons: Readonly<Record<string, number>>,
): (Interval & { met: number; n: number }) | null {
  const count = (reasons: readonly StopReason[]) =>
    reasons.reduce((sum, reason) => sum + (stopReasons[reason] ?? 0), 0);
  const met = count(EARLY_STOPS);
  const n = met + count(CAP_STOPS);
  const interval = wilsonInterval(met, n);
  return interval === null ? null : { met, n, ...interval };
}

/** The five targets of the scorecard, as they are named in addresses and in the API. Source: Reflection requirements, success criteria. */
export const TARGETS = ['final_better', 'within_three', 'issues_resolved', 'scored_alike', 'ended_by_rule'] as const;
export type Target = (typeof TARGETS)[number];

/** The share that each target asks for. Source: Reflection requirements, success criteria; re-scores are all to lie within 0.1. */
const TARGET_SHARES: Record<Target, number> = {
  final_better: 0.8,
  within_three: 0.7,
  issues_resolved: 0.85,
  scored_alike: 1,
  ended_by_rule: ENDED_BY_RULE_TARGET,
};

/** Below this number a share says little of a target, whatever it is. */
const LEAST_FOR_TARGET = 10;

/**
 * How a target reads. `met`, `missed`: the whole interval lies on that side; the two `_within_noise`: the share does, but the interval reaches
 * over to the other. `too_few`: below 10. `none`: nothing to count.
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

/** Holds a counted share against its target. That all re-scores are alike can only be refuted by one that is not. */
export function readTarget(target: Target, counted: CountedShare): TargetReading {
  const aim = TARGET_SHARES[target];
  const verdict = verdictOn(counted, aim);
  return { target, ...counted, aim, verdict, reading: WORDS[verdict], because: reasonFor(verdict, counted, aim) };
}

const WORDS: Record<TargetVerdict, string> = {
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
  if (of < LEAST_FOR_TARGET) return 'too_few';
  if (aim === 1 || interval.low >= aim) return 'met';
  if (interval.high < aim) return 'missed';
  return met >= aim * of - HARDLY_ANY ? 'met_within_noise' : 'under_within_noise';
}

/** 0.7 × 10 comes out a little above 7. */
const HARDLY_ANY = 1e-9;

function reasonFor(verdict: TargetVerdict, { met, of, interval }: CountedShare, aim: number): string {
  switch (verdict) {
    case 'none':
      return 'no runs count so far';
    case 'too_few':
      return `${of} of at least ${LEAST_FOR_TARGET}`;
    case 'met':
      return aim === 1 ? 'none missed it' : 'the whole interval lies above it';
    case 'met_within_noise':
      return 'the interval reaches below it';
    case 'under_within_noise':
      return 'the interval reaches the target';
    case 'missed':
      return aim === 1 ? `${of - met} missed it` : `by ${pointsUnder(aim, interval?.share ?? 0)}`;
  }
}

function pointsUnder(aim: number, share: number): string {
  const points = Math.max(1, Math.round((aim - share) * 100));
  return points === 1 ? '1 point' : `${points} points`;
}
