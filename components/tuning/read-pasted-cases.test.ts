import { expect, test } from 'vitest';
import { readPastedCases } from './read-pasted-cases.ts';

test.each([
  { name: 'plain lines are inputs', text: 'one\n\n  two ', value: [{ input: 'one' }, { input: 'two' }] },
  {
    name: 'objects as they are',
    text: '{"input":"a","reference":"b"}\r\nc',
    value: [{ input: 'a', reference: 'b' }, { input: 'c' }],
  },
])('$name', ({ text, value }) => {
  expect(readPastedCases(text)).toEqual({ ok: true, value });
});

test.each([
  { name: 'half an object', text: 'one\n{"input":', says: 'line 2 is not a valid JSON object' },
  { name: 'nothing', text: ' \n', says: 'paste at least one case, one per line' },
])('rejects $name', ({ text, says }) => {
  expect(readPastedCases(text)).toMatchObject({ ok: false, problem: { field: 'cases', message: says } });
});
