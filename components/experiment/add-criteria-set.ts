import { CRITERIA_SETS } from './criteria-sets.ts';
import { type CriterionDraft, newCriterion, nextKey } from './criterion-draft.ts';

/** The criteria with those of a set behind them; names that are there already stay as they are. */
export function addCriteriaSet(criteria: readonly CriterionDraft[], set: keyof typeof CRITERIA_SETS): CriterionDraft[] {
  const taken = new Set(criteria.map((criterion) => criterion.name.trim()));
  const first = nextKey(criteria);
  const added = CRITERIA_SETS[set].criteria
    .filter(({ name }) => !taken.has(name))
    .map(({ name, description, weight, evaluator }, position) => ({
      ...newCriterion(first + position),
      name,
      description,
      weight: String(weight),
      evaluator,
    }));
  return [...criteria, ...added];
}
