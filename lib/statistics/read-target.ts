import { z } from 'zod';
import { type CountedShare, countedShareSchema } from './counted-share.ts';
import { ENDED_BY_RULE_TARGET } from './ended-by-rule.ts';
import { TARGETS, type Target } from './run-readings.ts';

/** The share that each target asks for. Source: Reflection requirements, success criteria; re-scores are all to lie within 0.1. */
export const TARGET_SHARES: Record<Target, number> = {
  final_better: 0.8,
  within_three: 0.7,
  issues_resolved: 0.85,
  scored_alike: 1,
  ended_by_rule: ENDED_BY_RULE_TARGET,
};

/** Below this number a share says little of a target, whatever it is. */
export const LEAST_FOR_TARGET = 10;

/**
 * How a target reads. `met`, `missed`: the whole interval lies on that side; the two `_within_noise`: the share does, but the interval reaches
 * over to the other. `too_few`: below 10. `none`: nothing to count.
 */
export const TARGET_VERDICTS = ['met', 'met_within_noise', 'under_within_noise', 'missed', 'too_few', 'none'] as const;
export type TargetVerdict = (typeof TARGET_VERDICTS)[number];

export const targetReadingSchema = countedShareSchema.extend({
  target: z.enum(TARGETS),
  aim: z.number().min(0).max(1).meta({ description: 'The share that is asked for.' }),
  verdict: z.enum(TARGET_VERDICTS),
  reading: z.string().meta({ description: 'The verdict in words.' }),
  because: z.string().meta({ description: 'What makes it so.' }),
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
  under_within_noise: 'Under it, within noise',
  missed: 'Missed',
  too_few: 'Too few to tell',
  none: 'Nothing to tell yet',
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
      return 'none counts so far';
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
