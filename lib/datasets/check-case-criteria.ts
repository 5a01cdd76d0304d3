import type { Case } from '#lib/core/case.ts';
import type { CaseCriteria } from '#lib/core/case-criteria.ts';
import { criterionPlaceholderProblems } from '#lib/core/placeholder-problems.ts';
import { fail, type Result } from '#lib/core/problem.ts';
import { criterionProblem } from '#lib/evaluators/criterion-problem.ts';
import { yieldToOthers } from '#lib/system/yield-to-others.ts';

/** Where in a case's criteria something cannot be used (`add.0.config.pattern`), and why as the end of a sentence. */
type Found = { path: string; message: string };

/**
 * Checks the criteria that cases bring: patterns, schemas and code that can be used, and variables that are known. The same criterion of
 * many cases is checked once.
 */
export function caseCriteriaChecker(): (criteria: CaseCriteria | null | undefined) => Promise<Found | null> {
  const known = new Map<string, Found | null>();
  return async (criteria) => {
    for (const [position, criterion] of (criteria?.add ?? []).entries()) {
      const key = JSON.stringify(criterion);
      const found = known.has(key) ? (known.get(key) ?? null) : await faultOf(criterion);
      known.set(key, found);
      if (found !== null) return { ...found, path: `add.${position}.${found.path}` };
    }
    return null;
  };
}

async function faultOf(criterion: CaseCriteria['add'][number]): Promise<Found | null> {
  const [placeholder] = criterionPlaceholderProblems(criterion);
  if (placeholder !== undefined) return { path: placeholder.path.join('.'), message: placeholder.message };
  const config = await criterionProblem(criterion);
  return config === null ? null : { path: `config.${config.key}`, message: config.problem };
}

/** Refuses cases whose own criteria cannot be used; `field` is where the criteria of a case stand in the request. */
export async function refuseFaultyCriteria(
  cases: readonly Pick<Case, 'criteria'>[],
  field: (place: number) => string,
): Promise<Result<never> | null> {
  const check = caseCriteriaChecker();
  const yielding = yieldToOthers();
  for (const [place, { criteria }] of cases.entries()) {
    await yielding();
    const found = await check(criteria);
    if (found === null) continue;
    const at = `${field(place)}.${found.path}`;
    return fail('invalid', `${at} ${found.message}.`, at);
  }
  return null;
}
