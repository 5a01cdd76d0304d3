import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CaseCriteriaInput, caseCriteriaSchema } from './case.ts';
import { caseCriteriaProblem, settingsForCase } from './case-criteria.ts';
import { settingsOf } from './history-of.test-support.ts';
import type { ExperimentSettingsInput } from './settings.ts';

const CRITERIA: ExperimentSettingsInput['criteria'] = [
  { name: 'clear', evaluator: 'llm', threshold: 0.6, weight: 2 },
  { name: 'exact', evaluator: 'reference', config: { match: 'exact' } },
];
const SETTINGS = settingsOf({ criteria: CRITERIA, qualityThreshold: 0.8 });
const caseOf = (criteria: CaseCriteriaInput) => ({ criteria: caseCriteriaSchema.parse(criteria) });
const has = { name: 'has', evaluator: 'regex' as const, config: { pattern: 'x' } };

describe('settingsForCase', () => {
  test.each<[string, CaseCriteriaInput, object]>([
    ['a criterion turned off', { change: { clear: { enabled: false } } }, { criteria: [{ name: 'exact' }] }],
    ['only the named criteria', { others: 'off', change: { exact: {} } }, { criteria: [{ name: 'exact' }] }],
    [
      'another threshold and weight',
      { change: { clear: { threshold: 0.9, weight: 5 } } },
      { criteria: [{ name: 'clear', threshold: 0.9, weight: 5, evaluator: 'llm' }, { name: 'exact' }] },
    ],
    ['no case-specific threshold', { change: { clear: { threshold: null } } }, { criteria: [{ threshold: null }, {}] }],
    [
      'an added criterion',
      { add: [has] },
      { criteria: [{ name: 'clear' }, { name: 'exact' }, { name: 'has', threshold: null }] },
    ],
    [
      'a criterion replaced by one with the same name, in its place',
      { add: [{ ...has, name: 'clear' }] },
      { criteria: [{ name: 'clear', evaluator: 'regex' }, { name: 'exact' }] },
    ],
    ['only case-specific criteria', { others: 'off', add: [has] }, { criteria: [{ name: 'has' }] }],
    ['another overall threshold', { qualityThreshold: 0.5 }, { qualityThreshold: 0.5, criteria: [{}, {}] }],
  ])('have %s', (_name, criteria, expected) => {
    const made = settingsForCase(SETTINGS, caseOf(criteria));
    expect(made).toMatchObject(expected);
    expect(settingsForCase(made, caseOf(criteria))).toEqual(made);
  });

  test('returns the same object if the case has no changes', () => {
    expect(settingsForCase(SETTINGS, {})).toBe(SETTINGS);
    expect(settingsForCase(SETTINGS, { criteria: null })).toBe(SETTINGS);
  });

  test('is idempotent and keeps criterion names unique', () => {
    const change = fc.record({ enabled: fc.boolean(), weight: fc.integer({ min: 0, max: 9 }) }, { requiredKeys: [] });
    const names = fc.constantFrom('clear', 'exact', 'has');
    const own = fc.record({
      others: fc.constantFrom('on' as const, 'off' as const),
      change: fc.dictionary(names, change),
      add: fc.uniqueArray(names).map((all) => all.map((name) => ({ ...has, name }))),
    });
    fc.assert(
      fc.property(own, (given) => {
        const task = caseOf(given);
        const once = settingsForCase(SETTINGS, task);
        expect(settingsForCase(once, task)).toEqual(once);
        expect(new Set(once.criteria.map(({ name }) => name)).size).toBe(once.criteria.length);
      }),
    );
  });
});

describe('problem of case criteria', () => {
  test.each<[string, CaseCriteriaInput, string | null]>([
    ['null without changes', { change: { clear: { weight: 3 } }, add: [has] }, null],
    ['an unknown criterion turned off', { change: { other: { enabled: false } } }, null],
    ['an unknown name', { change: { claer: { threshold: 1 } } }, 'change.claer names a criterion that the'],
    ['no criteria left', { others: 'off' }, ' leave no criterion'],
    ['only weights of 0', { others: 'off', add: [{ ...has, weight: 0 }] }, ' leave only criteria of weight 0'],
    [
      'similarity without an embedding model',
      { add: [{ name: 'm', evaluator: 'reference', config: { match: 'embedding' } }] },
      'add.0 compares by embedding',
    ],
  ])('is %s', (_name, criteria, words) => {
    const found = caseCriteriaProblem(SETTINGS, caseOf(criteria));
    expect(found === null ? null : `${found.path.join('.')} ${found.message}`).toEqual(
      words === null ? null : expect.stringContaining(words),
    );
  });

  test('is a human criterion in a tuning experiment', () => {
    const tuned = { ...SETTINGS, mode: 'tune' as const };
    const human = caseOf({ add: [{ name: 'h', evaluator: 'human', config: {} }] });
    expect(caseCriteriaProblem(tuned, human)?.path).toEqual(['add', 0]);
    expect(caseCriteriaProblem(SETTINGS, human)).toBeNull();
  });
});
