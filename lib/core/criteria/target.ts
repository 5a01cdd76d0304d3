import { defineCriterion } from './definition.ts';

/** Scored by the target: the score that it sent with its output. */
export const targetCriterion = defineCriterion({
  kind: 'target',
  label: 'The target’s own score',
  name: 'target',
  summary: () => 'scored by the target',
  fields: {},
  note: () => 'The target sends `score`, from 0 to 1, with its output.',
  remedy: 'Make sure that the target returns a score. Then start a new run.',
});
