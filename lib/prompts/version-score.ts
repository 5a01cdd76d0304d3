import type { MeanInterval } from '#lib/statistics/intervals.ts';

/**
 * How a version of a prompt does on average. `tried`: by its setup's first model on `n` of `of` cases of the dataset, those that are held
 * out left aside. `run`: on the cases by which the tuning run that made it chose.
 */
export type VersionScore = MeanInterval & ({ source: 'tried'; of: number } | { source: 'run' });

/** By the number of the version; one that nothing is known of is left out. */
export type VersionScores = Record<number, VersionScore>;
