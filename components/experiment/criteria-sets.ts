import { DEFAULT_CRITERIA } from '#lib/core/criterion.ts';
import { type CriterionDraft, newCriterion, nextKey } from './criterion-draft.ts';

/** Default criteria of each task type. */
export const CRITERIA_SETS = {
  writing: { label: 'Writing', criteria: DEFAULT_CRITERIA.writing },
  code: { label: 'Code generation', criteria: DEFAULT_CRITERIA.code },
  analysis: { label: 'Analysis', criteria: DEFAULT_CRITERIA.analysis },
  reasoning: { label: 'Reasoning', criteria: DEFAULT_CRITERIA.reasoning },
} as const satisfies Record<keyof typeof DEFAULT_CRITERIA, unknown>;

/** Names of the sets, in display order. */
export const SET_NAMES = [
  'writing',
  'code',
  'analysis',
  'reasoning',
] as const satisfies readonly (keyof typeof CRITERIA_SETS)[];

/** Appends the criteria of a set. Criteria whose names exist already are skipped. */
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
