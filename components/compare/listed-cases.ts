import type { ComparedCaseRow, Comparison } from '#lib/compare/schema.ts';
import { formatTitle } from '#lib/format.ts';

/** A case as the list shows it: with hundreds of them on several arms, only what is shown goes to the browser. */
export type ListedCase = {
  caseKey: string;
  title: string;
  /** In the order of the arms; `scores` by version, of the first run, empty where the list has no room for courses. */
  arms: ({ judged: number; solved: number | null; score: number | null; scores: (number | null)[] } | null)[];
  /** Differences of each arm to the baseline; null where there is none. */
  by: (number | null)[];
};

/** What the list of cases needs to know of a comparison. */
export type ListedComparison = {
  metric: Comparison['metric'];
  arms: { arm: string; runs: number; cases: number }[];
  cases: ListedCase[];
  /** Cases on all pages. */
  total: number;
};

/** With more arms there is no room for the course of each run. */
const MOST_WITH_COURSES = 3;

/** Whether the list shows the course of each run. */
export function hasCourses(arms: readonly unknown[]): boolean {
  return arms.length <= MOST_WITH_COURSES;
}

/** A comparison without what its list of cases does not show. */
export function listedCases({ arms, metric, cases }: Pick<Comparison, 'arms' | 'metric' | 'cases'>): ListedComparison {
  const withCourses = hasCourses(arms);
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
