import type { Criterion, CriterionOf } from '#lib/core/criterion.ts';
import { given, linesOf, orNull, read, readJson, typed } from './draft-entries.ts';

/** A criterion while it is edited: every entry as it was typed. */
export type CriterionDraft = {
  key: number;
  name: string;
  description: string;
  weight: string;
  /** Empty: none of its own. */
  threshold: string;
  evaluator: Criterion['evaluator'];
  rubric: string;
  /** One a line. */
  items: string;
  schema: string;
  against: CriterionOf<'comparison'>['config']['against'];
  pattern: string;
  flags: string;
  mustMatch: boolean;
  min: string;
  max: string;
  match: CriterionOf<'reference'>['config']['match'];
  /** Empty for the evaluator's own choice. */
  normalize: '' | 'none' | 'trim' | 'lower' | 'squad';
  extract: string;
  tolerance: string;
  code: string;
  tests: string;
  timeoutMs: string;
  webhook: string;
  question: string;
};

/** A key that no criterion of the list has. */
export function nextKey(criteria: readonly CriterionDraft[]): number {
  return Math.max(-1, ...criteria.map(({ key }) => key)) + 1;
}

/** A criterion as yet without a name, judged by a model. */
export function newCriterion(key: number): CriterionDraft {
  return {
    key,
    name: '',
    description: '',
    weight: '1',
    threshold: '',
    evaluator: 'llm',
    rubric: '',
    items: '',
    schema: '',
    against: 'previous',
    pattern: '',
    flags: '',
    mustMatch: true,
    min: '',
    max: '',
    match: 'exact',
    normalize: '',
    extract: '',
    tolerance: '',
    code: '',
    tests: '',
    timeoutMs: '',
    webhook: '',
    question: '',
  };
}

/** A draft that holds what a criterion says; `key` tells it from its neighbours. */
export function toCriterionDraft(criterion: Criterion, key: number): CriterionDraft {
  const shared = {
    ...newCriterion(key),
    name: criterion.name,
    description: criterion.description,
    weight: typed(criterion.weight),
    threshold: typed(criterion.threshold),
    evaluator: criterion.evaluator,
  };
  switch (criterion.evaluator) {
    case 'llm':
      return { ...shared, rubric: criterion.config.rubric ?? '' };
    case 'checklist':
      return { ...shared, items: criterion.config.items.join('\n') };
    case 'comparison':
      return { ...shared, against: criterion.config.against };
    case 'json_schema':
      return { ...shared, schema: JSON.stringify(criterion.config.schema, null, 2) };
    case 'regex': {
      const { pattern, flags, mustMatch, min, max } = criterion.config;
      return { ...shared, pattern, flags: flags ?? '', mustMatch, min: typed(min ?? null), max: typed(max ?? null) };
    }
    case 'reference': {
      const { match, normalize, extract, tolerance } = criterion.config;
      return {
        ...shared,
        match,
        normalize: normalize ?? '',
        extract: extract ?? '',
        tolerance: typed(tolerance ?? null),
      };
    }
    case 'function':
      return { ...shared, code: criterion.config.code };
    case 'python_tests':
      return { ...shared, tests: criterion.config.tests, timeoutMs: typed(criterion.config.timeoutMs) };
    case 'webhook':
      return { ...shared, webhook: criterion.config.name };
    case 'human':
      return { ...shared, question: criterion.config.question ?? '' };
  }
}

/** What is sent of a criterion: only what its kind has a use for. */
export function fromCriterionDraft(draft: CriterionDraft) {
  const shared = {
    name: draft.name,
    description: draft.description,
    weight: read(draft.weight),
    threshold: orNull(draft.threshold),
    evaluator: draft.evaluator,
  };
  switch (draft.evaluator) {
    case 'llm':
      return { ...shared, config: given({ rubric: draft.rubric }) };
    case 'checklist':
      return { ...shared, config: { items: linesOf(draft.items) } };
    case 'comparison':
      return { ...shared, config: { against: draft.against } };
    case 'json_schema':
      return { ...shared, config: { schema: readJson(draft.schema) } };
    case 'regex':
      return {
        ...shared,
        config: {
          pattern: draft.pattern,
          mustMatch: draft.mustMatch,
          ...given({ flags: draft.flags }),
          ...given({ min: draft.min, max: draft.max }, read),
        },
      };
    case 'reference':
      return {
        ...shared,
        config: {
          match: draft.match,
          ...given({ normalize: draft.normalize, extract: draft.extract }),
          ...(draft.match === 'numeric' ? given({ tolerance: draft.tolerance }, read) : {}),
        },
      };
    case 'function':
      return { ...shared, config: { code: draft.code } };
    case 'python_tests':
      return { ...shared, config: { tests: draft.tests, ...given({ timeoutMs: draft.timeoutMs }, read) } };
    case 'webhook':
      return { ...shared, config: { name: draft.webhook } };
    case 'human':
      return { ...shared, config: given({ question: draft.question }) };
  }
}
