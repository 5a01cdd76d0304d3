import { z } from 'zod';
import { signTest } from '#lib/core/sign-test.ts';
import { casesForShares } from './cases-to-show.ts';
import { wilsonInterval } from './wilson-interval.ts';
import { SIGNIFICANT } from './write-chance.ts';

/**
 * How a run of a case went: by version, what had been spent when it was scored (dollars or tokens, never falling) and whether it is
 * satisfactory. `isScored`: any version has a score; without one nobody can say whether the case was solved.
 */
export type SpendCourse = { caseKey: string; isScored: boolean; spent: number[]; satisfactory: boolean[] };

/** Cases that are compared at most: more make the curve no clearer. */
export const MOST_EQUAL_COST_CASES = 300;

const count = z.int().min(0);
const share = z.object({ low: z.number(), share: z.number(), high: z.number() });

/**
 * Reflection against fresh drafts at the same spend a case, over the cases that both ran and that are scored on both sides. `levels`: what no run had exceeded by each of
 * reflection's versions, and how many cases each side had solved for that much. The verdict is on the last level, of reflection.
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
  /** About as many more cases would show a lead of this size, four times of five; null where there is none, or where it would take thousands. */
  moreCases: count.nullable(),
});
export type EqualCost = z.infer<typeof equalCostSchema>;

/** Below this number of cases no split is significant, whatever it is. */
const LEAST_CASES = 6;
/** A lead that would need more cases than this is none to wait for. */
const MOST_MORE_CASES = 5_000;

/** Compares the two, of each case one run; null where they have no case in common that is scored on both. Source: Huang et al. 2024, on resampling at equal cost. */
export function equalCost(reflection: readonly SpendCourse[], fresh: readonly SpendCourse[]): EqualCost | null {
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
      cases < LEAST_CASES
        ? 'too_few'
        : p >= SIGNIFICANT
          ? 'within_noise'
          : onlyReflection > onlyFresh
            ? 'better'
            : 'worse',
    moreCases: p < SIGNIFICANT ? null : moreCasesToShow(onlyReflection, onlyFresh, cases),
  };
}

/** What the dearest run had spent by each version; a run that ended earlier counts on with what it had spent. */
function spendLevels(courses: readonly SpendCourse[]): number[] {
  const length = Math.max(...courses.map(({ spent }) => spent.length));
  return Array.from({ length }, (_, place) =>
    Math.max(...courses.map(({ spent }) => spent[Math.min(place, spent.length - 1)] ?? 0)),
  );
}

/** Sums of the same prices come out a little apart. */
const HARDLY_ANY = 1e-9;

function isSolvedFor({ spent, satisfactory }: SpendCourse, spend: number): boolean {
  return satisfactory.some(
    (isGood, place) => isGood && (spent[place] ?? Number.POSITIVE_INFINITY) <= spend + HARDLY_ANY,
  );
}

function shareOf(solved: number, cases: number) {
  return wilsonInterval(solved, cases) ?? { low: 0, share: 0, high: 1 };
}

/** How many more cases it takes until a lead like this one is shown four times of five; at least one, as long as it is not. */
function moreCasesToShow(onlyReflection: number, onlyFresh: number, cases: number): number | null {
  const wanted = casesForShares(cases, onlyReflection, onlyFresh);
  return wanted === null || wanted - cases > MOST_MORE_CASES ? null : Math.max(1, wanted - cases);
}
