import { expect, test } from 'vitest';
import { composeDetail, composeFeedback } from './evaluation-texts.ts';

test.each<[string, Record<string, string>, { feedback: string; detail: string }]>([
  ['no reasons', {}, { feedback: '', detail: '' }],
  ['one criterion', { quality: 'Clear.' }, { feedback: 'quality: Clear.', detail: 'Clear.' }],
  [
    'several criteria, in alphabetical order',
    { tone: 'Kind.', clarity: 'Clear.' },
    { feedback: 'clarity: Clear.\ntone: Kind.', detail: 'clarity: Clear.\ntone: Kind.' },
  ],
])('composes the texts of %s', (_name, reasons, { feedback, detail }) => {
  expect(composeFeedback({ reasons })).toBe(feedback);
  expect(composeDetail({ reasons, feedback })).toBe(detail);
});
