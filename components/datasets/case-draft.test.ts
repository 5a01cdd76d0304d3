import { expect, test } from 'vitest';
import { caseDraft, readCaseDraft } from './case-draft.ts';

test.each([
  ['all of it', { input: 'a\n', reference: ' 1', tags: ['x', 'held_out'], metadata: { plan: { of: [1, null] } } }],
  ['an input alone', { input: 'a', reference: null, tags: [], metadata: {} }],
  [
    'criteria of its own',
    {
      ...{ input: 'a', reference: null, tags: [], metadata: {} },
      criteria: { others: 'off' as const, change: { clear: { weight: 2 } }, add: [], qualityThreshold: null },
    },
  ],
])('round-trips a case through its form: %s', (_name, one) => {
  expect(readCaseDraft(caseDraft(one))).toEqual({ ok: true, value: one });
});

test.each([
  ['no input', { input: '' }, 'input'],
  ['messages without content', { messages: [{ role: 'user' as const, content: ' ' }] }, 'input'],
  ['metadata that is no JSON', { metadata: '{plan}' }, 'metadata'],
  ['metadata that is a list', { metadata: '[1]' }, 'metadata'],
  ['criteria that are no JSON', { criteria: '{x' }, 'criteria'],
  ['criteria of another form', { criteria: '{"add": [{"name": "x"}]}' }, 'criteria'],
])('reports the field of the problem: %s', (_name, part, field) => {
  expect(readCaseDraft({ ...caseDraft(null), input: 'a', ...part })).toMatchObject({ problem: { field } });
});

test('removes duplicate tags', () => {
  expect(readCaseDraft({ ...caseDraft(null), input: 'a', tags: ' x,, y ,x' })).toMatchObject({
    value: { tags: ['x', 'y'] },
  });
});
