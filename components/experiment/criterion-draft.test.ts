import { describe, expect, test } from 'vitest';
import { criterionSchema } from '#lib/core/criterion-schema.ts';
import { addCriteriaSet, CRITERIA_SETS, fromCriterionDraft, newCriterion, SET_NAMES } from './criterion-draft.ts';

const NAMES = {
  code: ['correctness', 'efficiency', 'readability', 'edge_cases'],
  writing: ['clarity', 'coherence', 'completeness', 'tone'],
  analysis: ['accuracy', 'depth', 'relevance', 'objectivity'],
  reasoning: ['logical_validity', 'completeness', 'clarity'],
};

describe('criteria sets', () => {
  test.each(SET_NAMES)('the set for %s is complete, described and valid', (set) => {
    const added = addCriteriaSet([], set).map(fromCriterionDraft);
    expect(added.map(({ name }) => name)).toEqual(NAMES[set]);
    for (const criterion of added) {
      expect(criterion.description.length).toBeGreaterThan(20);
      expect(criterionSchema.safeParse(criterion).success).toBe(true);
    }
  });

  test('appends a set after existing criteria without duplicate names or keys', () => {
    const own = { ...newCriterion(7), name: ' clarity ', description: 'mine', weight: '5' };
    const added = addCriteriaSet([own], 'writing');
    expect(added[0]).toBe(own);
    expect(added.map(({ name }) => name)).toEqual([' clarity ', 'coherence', 'completeness', 'tone']);
    expect(new Set(added.map(({ key }) => key)).size).toBe(4);
  });

  test('adding a set twice adds nothing', () => {
    const there = addCriteriaSet([], 'code');
    expect(addCriteriaSet(there, 'code')).toEqual(there);
  });

  test('keeps the weights of the set', () => {
    expect(addCriteriaSet([], 'code')[0]?.weight).toBe('2');
    expect(CRITERIA_SETS.code.criteria[0]?.weight).toBe(2);
  });
});
