import { expect, test } from 'vitest';
import { newDetail } from './new-detail.ts';

test.each([
  { name: 'a repeated reason', detail: 'Clear in its order.', shown: ['Clear in its order.'], rest: '' },
  { name: 'repeated reasons of criteria', detail: 'form: Fine.\ntone: Flat.', shown: ['Fine.', 'Flat.'], rest: '' },
  {
    name: 'repeated issues and suggestions',
    detail: 'The function gave 0.\n- No total.\n→ Add it.\nRan 3 checks.',
    shown: ['The function gave 0.', 'No total.', 'Add it.'],
    rest: 'Ran 3 checks.',
  },
  {
    name: 'the name of the criterion, once',
    detail: 'form: 1 of 2 met.\n✓ Has a title\n✕ Has a total\ntone: Flat.',
    shown: ['1 of 2 met.'],
    rest: 'form: ✓ Has a title\n✕ Has a total\ntone: Flat.',
  },
  {
    name: 'feedback that names the criterion',
    detail: 'Flat.\nRead twice.',
    shown: ['tone: Flat.'],
    rest: 'Read twice.',
  },
  {
    name: 'other texts',
    detail: 'exact: Expected "8", got "15"',
    shown: ['Incorrect.'],
    rest: 'exact: Expected "8", got "15"',
  },
])('keeps of a detail what is not shown: $name', ({ detail, shown, rest }) => {
  expect(newDetail(detail, shown, ['form', 'tone', 'exact'])).toBe(rest);
});
