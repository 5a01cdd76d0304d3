import { z } from 'zod';

/** Below this number of ended runs an experiment is not flagged. */
export const LEAST_RUNS = 10;
/** From this share of passing first drafts on nothing is left to improve. */
export const PASSING_SHARE = 0.95;

/**
 * Ended runs of an experiment with at least one scored version: in how many some version, and the first one, was satisfactory.
 * `unscored`: ended runs that were evaluated, but no version of which could be scored.
 */
export type PassCounts = { runs: number; everSatisfactory: number; firstSatisfactory: number; unscored: number };

/** That an experiment's criteria seem too hard or too easy, or that its runs can't be scored: in how many of how many runs, and what to do, in words. */
export const experimentFlagSchema = z.object({
  flag: z.enum(['overcritical', 'undercritical', 'unscored']),
  runs: z.int(),
  satisfactory: z.int(),
  message: z.string(),
  remedy: z.string(),
});
export type ExperimentFlag = z.infer<typeof experimentFlagSchema>;

/**
 * Overcritical: nothing was ever satisfactory in 10 runs or more. Undercritical: in at least 95 % of 10 runs or more the first
 * draft passed. Source: Reflection requirements 4.4 (failure modes). Unscored, beside these: 10 runs or more could not be scored.
 */
export function experimentFlags(counts: PassCounts): ExperimentFlag[] {
  return [...criteriaFlags(counts), ...unscoredFlags(counts)];
}

function unscoredFlags({ unscored }: PassCounts): ExperimentFlag[] {
  if (unscored < LEAST_RUNS) return [];
  return [
    {
      flag: 'unscored',
      runs: unscored,
      satisfactory: 0,
      message: `No version of ${unscored} runs got a score, so they count neither as solved nor as not.`,
      remedy:
        'Open one of the runs to see why. Test under Models whether the judge can answer in JSON, choose another judge, or fix the criterion that gives no score.',
    },
  ];
}

function criteriaFlags({ runs, everSatisfactory, firstSatisfactory }: PassCounts): ExperimentFlag[] {
  if (runs < LEAST_RUNS) return [];
  if (everSatisfactory === 0) {
    return [
      {
        flag: 'overcritical',
        runs,
        satisfactory: 0,
        message: `No version of any of ${runs} runs was ever satisfactory.`,
        remedy:
          'Lower the quality threshold, or the threshold of the lowest scoring criterion. Check whether the task can meet the description of that criterion, or choose another judge.',
      },
    ];
  }
  // Whole numbers compare without rounding errors: 19 of 20 are 95 %.
  if (firstSatisfactory * 100 < runs * PASSING_SHARE * 100) return [];
  return [
    {
      flag: 'undercritical',
      runs,
      satisfactory: firstSatisfactory,
      message: `The first draft passed in ${firstSatisfactory} of ${runs} runs: reflection has nothing to do.`,
      remedy:
        'Raise the quality threshold, or add a criterion that checks the output itself (a pattern, a reference answer, a function). You can also choose a judge that is not the generator.',
    },
  ];
}
