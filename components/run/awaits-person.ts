import type { Criterion } from '#lib/core/criterion.ts';
import type { EvaluationRecord } from '#lib/core/run-record.ts';
import { isScoredElsewhere } from '#lib/runs/schema.ts';

/** Whether an evaluation lacks nothing but scores that people give: the criteria that wait, none where it is whole or the machine's part failed. */
export function awaitsPerson(
  { status, criteriaScores, proposed = {} }: Pick<EvaluationRecord, 'status' | 'criteriaScores' | 'proposed'>,
  criteria: (Pick<Criterion, 'name' | 'evaluator'> & { config?: unknown })[],
): string[] {
  if (status === 'scored') return [];
  const missing = criteria.filter(({ name }) => (criteriaScores[name] ?? null) === null);
  const isAsked = (one: (typeof missing)[number]) =>
    one.evaluator === 'human' ? !isScoredElsewhere(one) : proposed[one.name] !== undefined;
  return missing.every(isAsked) ? missing.map(({ name }) => name) : [];
}
