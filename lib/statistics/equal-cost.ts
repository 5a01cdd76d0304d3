import { z } from 'zod';
import { signTest } from '#lib/core/sign-test.ts';
import { casesForShares } from './cases-to-show.ts';
import { SIGNIFICANT } from './format-statistics.ts';
import { wilsonInterval } from './intervals.ts';

/**
 * The progress of a run of a case. `spent`: cumulative spend when each version was scored, in dollars or tokens. `satisfactory`: true if
 * the version is satisfactory. `isScored`: true if any version has a score, since otherwise it is unknown if the case was solved.
 */
export type SpendTrajectory = { caseKey: string; isScored: boolean; spent: number[]; satisfactory: boolean[] };

/** Maximum number of compared cases. More do not make the curve clearer. */
export const MAX_EQUAL_COST_CASES = 300;

const count = z.int().min(0);
const share = z.object({ low: z.number(), share: z.number(), high: z.number() });

/**
 * Comparison of reflection with fresh drafts at equal spend per case, over the cases that both ran and that are scored on both sides.
 * `levels`: the highest spend of any run up to each reflection version, and the number of cases each side had solved at that spend. The
 * verdict is on reflection at the last level.
 */
export const equalCostSchema = z.object({
  cases: count,
  unscored: count.meta({ description: 'Cases that both ran but that are left out because one side has no score.' }),
  levels: z.array(
    z.object({
      spend: z.number(),
      reflection: count,
      fresh: count,
      reflectionShare: share,
      freshShare: share,
    }),
  ),
  onlyReflection: count,
  onlyFresh: count,
  p: z.number().meta({ description: 'McNemar’s exact test, two-sided.' }),
  verdict: z.enum(['better', 'worse', 'within_noise', 'too_few']),
  /** About how many more cases would show a lead of this size with 80 % power. Null without a lead, or if it would take thousands. */
  moreCases: count.nullable(),
});
export type EqualCost = z.infer<typeof equalCostSchema>;

/** Minimum number of cases. With fewer, no result is significant. */
const MIN_CASES = 6;
/** Maximum number of additional cases reported. A lead that needs more is not worth waiting for. */
const MAX_MORE_CASES = 5_000;

/**
 * Compares the two sides, with one run of each case. Returns null if they have no common case that is scored on both. Source: Huang et al.
 * 2024, on resampling at equal cost.
 */
export function equalCost(reflection: readonly SpendTrajectory[], fresh: readonly SpendTrajectory[]): EqualCost | null {
  const freshOf = new Map(fresh.map((course) => [course.caseKey, course]));
  const ran = reflection.flatMap((course) => {
    const other = freshOf.get(course.caseKey);
    return other === undefined ? [] : [{ reflection: course, fresh: other }];
  });
  const pairs = ran.filter((pair) => pair.reflection.isScored && pair.fresh.isScored);
  if (pairs.length === 0) return null;
  const cases = pairs.length;
  const levels = spendLevels(pairs.map((pair) => pair.reflection)).map((spend) => {
    const solved = (side: 'reflection' | 'fresh') => pairs.filter((pair) => isSolvedFor(pair[side], spend)).length;
    const [ofReflection, ofFresh] = [solved('reflection'), solved('fresh')];
    return {
      spend,
      reflection: ofReflection,
      fresh: ofFresh,
      reflectionShare: shareOf(ofReflection, cases),
      freshShare: shareOf(ofFresh, cases),
    };
  });
  const most = levels.at(-1)?.spend ?? 0;
  const solvedBy = pairs.map((pair) => [isSolvedFor(pair.reflection, most), isSolvedFor(pair.fresh, most)] as const);
  const onlyReflection = solvedBy.filter(([one, other]) => one && !other).length;
  const onlyFresh = solvedBy.filter(([one, other]) => !one && other).length;
  const p = signTest(onlyReflection, onlyFresh);
  return {
    cases,
    unscored: ran.length - cases,
    levels,
    onlyReflection,
    onlyFresh,
    p,
    verdict:
      cases < MIN_CASES
        ? 'too_few'
        : p >= SIGNIFICANT
          ? 'within_noise'
          : onlyReflection > onlyFresh
            ? 'better'
            : 'worse',
    moreCases: p < SIGNIFICANT ? null : moreCasesToShow(onlyReflection, onlyFresh, cases),
  };
}

/** Returns the spend of the most expensive run at each version. A run that ended earlier counts with its total spend. */
function spendLevels(courses: readonly SpendTrajectory[]): number[] {
  const length = Math.max(...courses.map(({ spent }) => spent.length));
  return Array.from({ length }, (_, index) =>
    Math.max(...courses.map(({ spent }) => spent[Math.min(index, spent.length - 1)] ?? 0)),
  );
}

/** Tolerance for rounding errors in sums of equal prices. */
const ROUNDING_TOLERANCE = 1e-9;

function isSolvedFor({ spent, satisfactory }: SpendTrajectory, spend: number): boolean {
  return satisfactory.some(
    (isGood, index) => isGood && (spent[index] ?? Number.POSITIVE_INFINITY) <= spend + ROUNDING_TOLERANCE,
  );
}

function shareOf(solved: number, cases: number) {
  return wilsonInterval(solved, cases) ?? { low: 0, share: 0, high: 1 };
}

/** Returns the number of additional cases that would show this lead with 80 % power, at least one. */
function moreCasesToShow(onlyReflection: number, onlyFresh: number, cases: number): number | null {
  const wanted = casesForShares(cases, onlyReflection, onlyFresh);
  return wanted === null || wanted - cases > MAX_MORE_CASES ? null : Math.max(1, wanted - cases);
}
