import type { ComparedCaseRow, Comparison } from '#lib/compare/schema.ts';
import { formatTitle } from '#lib/format.ts';

/** Case in the list of a comparison. Contains only displayed fields, because hundreds are sent to the browser. */
export type ListedCase = {
  caseKey: string;
  title: string;
  /** Results in the order of the arms. `scores`: scores by version of the first run. Empty if the list does not show them. */
  arms: ({ judged: number; solved: number | null; score: number | null; scores: (number | null)[] } | null)[];
  /** Difference of each arm from the baseline. Null if there is none. */
  by: (number | null)[];
};

/** Comparison fields that the list of cases needs. */
export type ListedComparison = {
  metric: Comparison['metric'];
  arms: { arm: string; runs: number; cases: number }[];
  cases: ListedCase[];
  /** Number of cases on all pages. */
  total: number;
};

/** Maximum number of arms for which the list has room for scores by version. */
const MAX_ARMS_WITH_TRAJECTORIES = 3;

/** True if the list shows the scores by version of each run. */
export function hasTrajectories(arms: readonly unknown[]): boolean {
  return arms.length <= MAX_ARMS_WITH_TRAJECTORIES;
}

/** Reduces a comparison to the fields that its list of cases shows. */
export function listedCases({ arms, metric, cases }: Pick<Comparison, 'arms' | 'metric' | 'cases'>): ListedComparison {
  const withCourses = hasTrajectories(arms);
  return {
    metric,
    arms: arms.map(({ arm, runs, cases: ran }) => ({ arm, runs, cases: ran })),
    cases: cases.items.map((row) => listedCase(row, withCourses)),
    total: cases.total,
  };
}

function listedCase({ caseKey, title, arms, changes }: ComparedCaseRow, withCourses: boolean): ListedCase {
  return {
    caseKey,
    title: formatTitle(title, 80),
    arms: arms.map((arm) =>
      arm === null
        ? null
        : { judged: arm.judged, solved: arm.solved, score: arm.score, scores: withCourses ? arm.scores : [] },
    ),
    by: changes.map((change) => change.by),
  };
}
