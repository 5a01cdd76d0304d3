import { describe, expect, test } from 'vitest';
import { type Criterion, criterionSchema } from './criterion-schema.ts';
import { findMissingInput, rejectUnscorableCases, unscorableCases } from './unscorable-cases.ts';

const criterionOf = (evaluator: string, config: object, name = evaluator): Criterion =>
  criterionSchema.parse({ name, evaluator, config });
const exact = criterionOf('reference', { match: 'exact' }, 'exact');
const scoring = (criteria: Criterion[]) => ({ criteria, prompts: { evaluate: null } });
const numeric = criterionOf('reference', { match: 'numeric' }, 'sum');

describe('findMissingInput', () => {
  test.each<[string, Criterion, string | null, ReturnType<typeof findMissingInput>]>([
    ['an exact match without a reference', exact, null, 'reference'],
    ['an exact match with a reference', exact, 'yes', null],
    ['an exact match with an empty reference, which is compared', exact, '', null],
    ['a number match without a reference', numeric, null, 'reference'],
    ['a number match with a reference without a number', numeric, 'many', 'number'],
    ['a number match with a number within text', numeric, 'about 1,200 a year', null],
    ['a similarity match with a blank reference', criterionOf('reference', { match: 'embedding' }), ' \n', 'reference'],
    ['a similarity match with a reference', criterionOf('reference', { match: 'embedding' }), 'yes', null],
    ['a comparison without a reference', criterionOf('comparison', { against: 'reference' }), null, 'reference'],
    ['a comparison with a blank reference', criterionOf('comparison', { against: 'reference' }), ' ', 'reference'],
    ['a comparison with a reference', criterionOf('comparison', { against: 'reference' }), 'yes', null],
    ['a comparison with the previous version', criterionOf('comparison', { against: 'previous' }), null, null],
    ['a function', criterionOf('function', { code: 'function evaluate({ reference }) {}' }), null, null],
    ['a judge', criterionOf('llm', {}), null, null],
    [
      'a judge whose rubric needs a missing reference',
      criterionOf('llm', { rubric: 'Like {{reference}}' }),
      null,
      'reference',
    ],
    ['a judge whose rubric gets its reference', criterionOf('llm', { rubric: 'Like {{reference}}' }), 'yes', null],
    [
      'a checklist that needs a missing reference',
      criterionOf('checklist', { items: ['Is {{reference}}'] }),
      null,
      'reference',
    ],
    [
      'a judge whose rubric needs missing metadata',
      criterionOf('llm', { rubric: 'In {{metadata.lang}}' }),
      null,
      'metadata.lang',
    ],
    ['a judge whose rubric gets its metadata', criterionOf('llm', { rubric: 'In {{metadata.tone}}' }), null, null],
    [
      'a judge whose rubric needs an empty field',
      criterionOf('llm', { rubric: '{{metadata.none}}' }),
      null,
      'metadata.none',
    ],
  ])('of %s', (_name, criterion, reference, lack) => {
    expect(findMissingInput(criterion, { reference, metadata: { tone: 'dry', none: null } }, null)).toBe(lack);
  });

  test('a custom judge prompt that needs a reference, but not a code evaluator', () => {
    const task = { reference: null, metadata: {} };
    expect(findMissingInput(criterionOf('llm', {}), task, 'Like {{reference}}')).toBe('reference');
    expect(findMissingInput(criterionOf('regex', { pattern: 'x' }), task, 'Like {{reference}}')).toBeNull();
  });
});

test('reports each case once, with its first failing criterion, list index and dataset position', () => {
  const cases = [
    { input: 'a', reference: '1', metadata: {}, position: 4 },
    { input: 'b', reference: null, metadata: {}, position: 7 },
  ];
  expect(unscorableCases(scoring([exact, numeric]), cases)).toEqual([
    { index: 1, number: 8, input: 'b', criterion: 'exact', lacks: 'reference' },
  ]);
});

describe('rejectUnscorableCases', () => {
  const refuse = (criteria: Criterion[], references: (string | null)[]) =>
    rejectUnscorableCases(
      scoring(criteria),
      references.map((reference, at) => ({ input: `case\n${'abcdef'[at]}`, reference, metadata: {} })),
      { code: 'invalid', field: (index) => `cases.${index}` },
    )?.problem;

  test('returns undefined if all cases can be scored', () => {
    expect(refuse([exact], ['a', 'b'])).toBeUndefined();
  });

  test.each([
    {
      name: 'one case',
      criteria: [exact],
      references: [null],
      message:
        'The case "case a" has no reference, and "exact" can score no version without one. Give the case one, or remove or change the criterion.',
    },
    {
      name: 'one of several cases',
      criteria: [exact],
      references: ['a', null],
      message:
        '1 of 2 cases has no reference, and "exact" can score no version without one: case 2 ("case b"). Nothing was started. Give each of them one, remove these cases, or remove or change the criterion.',
    },
    {
      name: 'three cases of one kind, the number of others, and a case of another kind',
      criteria: [numeric],
      references: [null, null, null, null, 'many'],
      message:
        '4 of 5 cases have no reference, and "sum" can score no version without one: case 1 ("case a"), case 2 ("case b"), case 3 ("case c") and 1 more. 1 of 5 cases has a reference that is not a number, and "sum" can score no version without a number: case 5 ("case e"). Nothing was started. Give each of them one, remove these cases, or remove or change the criterion.',
    },
    {
      name: 'a missing metadata field',
      criteria: [criterionOf('llm', { rubric: 'In {{metadata.lang}}' }, 'right')],
      references: [null, 'x'],
      message:
        '2 of 2 cases have no metadata field "lang", and "right" can score no version without it: case 1 ("case a") and case 2 ("case b"). Nothing was started. Add it to each of them, remove these cases, or remove the criterion or the variable.',
    },
  ])('names $name', ({ criteria, references, message }) => {
    expect(refuse(criteria, references)).toMatchObject({ code: 'invalid', message });
  });

  test('returns the field of the first invalid case', () => {
    expect(refuse([exact], ['a', null, null])?.field).toBe('cases.1');
  });
});
