import { expect, test } from 'vitest';
import { readPastedCases } from './start-tuning-form.tsx';

test.each([
  { name: 'plain lines as inputs', text: 'one\n\n  two ', value: [{ input: 'one' }, { input: 'two' }] },
  {
    name: 'objects unchanged',
    text: '{"input":"a","reference":"b"}\r\nc',
    value: [{ input: 'a', reference: 'b' }, { input: 'c' }],
  },
])('$name', ({ text, value }) => {
  expect(readPastedCases(text)).toEqual({ ok: true, value });
});

test.each([
  { name: 'an incomplete object', text: 'one\n{"input":', says: 'line 2 is not a valid JSON object' },
  { name: 'no cases', text: ' \n', says: 'paste at least one case, one per line' },
])('rejects $name', ({ text, says }) => {
  expect(readPastedCases(text)).toMatchObject({ ok: false, problem: { field: 'cases', message: says } });
});
