/** A run as the chart of all runs draws it. */
export type RunCourse = { id: string; scores: readonly (number | null)[]; outcome: 'solved' | 'unsolved' | 'open' };
/** The mean over all runs at one version or attempt; `n` runs had a score by then. */
export type CourseMean = { label: string; mean: number; n: number };

/**
 * The mean score of runs by version or attempt. A run that ended, or could not be scored, counts with its last score, so that
 * the mean is over the same runs from one end to the other.
 */
export function meanCourse(
  runs: readonly Pick<RunCourse, 'scores'>[],
  mode: 'revise' | 'retry' | 'tune',
): CourseMean[] {
  const longest = Math.max(0, ...runs.map(({ scores }) => scores.length));
  return Array.from({ length: longest }, (_, index) => {
    const scores = runs.flatMap((run) => run.scores.slice(0, index + 1).findLast((score) => score !== null) ?? []);
    const label = mode === 'retry' ? String(index + 1) : `v${index}`;
    return { label, mean: scores.reduce((sum, score) => sum + score, 0) / scores.length, n: scores.length };
  }).filter(({ n }) => n > 0);
}
