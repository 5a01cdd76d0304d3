import { expect, test } from 'vitest';
import { caseDraft, readCaseDraft } from './case-draft.ts';

test.each([
  ['all fields', { input: 'a\n', reference: ' 1', tags: ['x', 'held_out'], metadata: { plan: { of: [1, null] } } }],
  ['tags with commas', { input: 'a', reference: null, tags: ['z', 'a, b', 'a', 'b,c'], metadata: {} }],
  ['only an input', { input: 'a', reference: null, tags: [], metadata: {} }],
  [
    'case-specific criteria',
    {
      ...{ input: 'a', reference: null, tags: [], metadata: {} },
      criteria: { others: 'off' as const, change: { clear: { weight: 2 } }, add: [], qualityThreshold: null },
    },
  ],
])('round-trips a case through its form: %s', (_name, one) => {
  expect(readCaseDraft(caseDraft(one))).toEqual({ ok: true, value: one });
});

test.each([
  ['a missing input', { input: '' }, 'input'],
  ['messages without content', { messages: [{ role: 'user' as const, content: ' ' }] }, 'input'],
  ['metadata that is not JSON', { metadata: '{plan}' }, 'metadata'],
  ['metadata that is a list', { metadata: '[1]' }, 'metadata'],
  ['criteria that are not JSON', { criteria: '{x' }, 'criteria'],
  ['criteria with a wrong schema', { criteria: '{"add": [{"name": "x"}]}' }, 'criteria'],
])('reports the field of the problem: %s', (_name, part, field) => {
  expect(readCaseDraft({ ...caseDraft(null), input: 'a', ...part })).toMatchObject({ problem: { field } });
});

test('removes duplicate tags', () => {
  expect(readCaseDraft({ ...caseDraft(null), input: 'a', tags: ' x,, y ,x' })).toMatchObject({
    value: { tags: ['x', 'y'] },
  });
});

test('a stored tag with a comma is kept when another tag is added', () => {
  const draft = caseDraft({ input: 'a', reference: null, tags: ['paging, cursors', 'x'], metadata: {} });
  expect(readCaseDraft({ ...draft, tags: `${draft.tags}, new, paging` })).toMatchObject({
    value: { tags: ['paging, cursors', 'x', 'new', 'paging'] },
  });
});
