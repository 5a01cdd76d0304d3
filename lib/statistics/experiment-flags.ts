import { z } from 'zod';

/** Minimum number of ended runs to flag an experiment. */
export const MIN_FLAGGED_RUNS = 10;
/** Share of passing first drafts from which nothing is left to improve. */
export const PASSING_SHARE = 0.95;

/**
 * Counts of ended runs with at least one scored version: in total, with any satisfactory version, and with a satisfactory first version.
 * `unscored`: ended runs that were evaluated but have no scored version.
 */
export type PassCounts = { runs: number; everSatisfactory: number; firstSatisfactory: number; unscored: number };

/**
 * A warning that an experiment's criteria seem too hard or too easy, or that its runs cannot be scored. Contains the number of affected
 * runs and the recommended action.
 */
export const experimentFlagSchema = z.object({
  flag: z.enum(['overcritical', 'undercritical', 'unscored']),
  runs: z.int(),
  satisfactory: z.int(),
  message: z.string(),
  remedy: z.string(),
});
export type ExperimentFlag = z.infer<typeof experimentFlagSchema>;

/**
 * Returns the flags of an experiment. Overcritical: no version was ever satisfactory in at least 10 runs. Undercritical: the first draft
 * passed in at least 95 % of at least 10 runs. Source: Reflection requirements 4.4 (failure modes). Unscored, in addition: at least 10 runs
 * could not be scored.
 */
export function experimentFlags({ runs, everSatisfactory, firstSatisfactory, unscored }: PassCounts): ExperimentFlag[] {
  const flags: ExperimentFlag[] = [];
  if (runs >= MIN_FLAGGED_RUNS && everSatisfactory === 0)
    flags.push({
      flag: 'overcritical',
      runs,
      satisfactory: 0,
      message: `No version of any of ${runs} runs was ever satisfactory.`,
      remedy:
        'Open a run to see which criterion fails and why, for example an answer pattern that no output matches. Change that criterion or its threshold, lower the quality threshold, or choose another judge.',
    });
  // Compares integers to avoid rounding errors: 19 of 20 are 95 %.
  else if (runs >= MIN_FLAGGED_RUNS && firstSatisfactory * 100 >= runs * PASSING_SHARE * 100)
    flags.push({
      flag: 'undercritical',
      runs,
      satisfactory: firstSatisfactory,
      message: `The first draft passed in ${firstSatisfactory} of ${runs} runs: reflection has nothing to do.`,
      remedy:
        'Raise the quality threshold, or add a criterion that checks the output itself (a pattern, a reference answer, a function). You can also choose a judge that is not the generator.',
    });
  if (unscored >= MIN_FLAGGED_RUNS)
    flags.push({
      flag: 'unscored',
      runs: unscored,
      satisfactory: 0,
      message: `No version of ${unscored} runs got a score, so they count neither as solved nor as not.`,
      remedy:
        'Open one of the runs to see why. Test under Models whether the judge can answer in JSON, choose another judge, or fix the criterion that gives no score.',
    });
  return flags;
}
