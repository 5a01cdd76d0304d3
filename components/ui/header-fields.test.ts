import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemAt } from '#components/access/to-action-failure.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addedHeadersSchema } from '#lib/system/sealed-headers.ts';
import { HeaderFields, headersOf } from './header-fields.tsx';

test.each([
  ['a value without a name', { name: ' ', value: 'Bearer 1' }, 'must have a name of letters, digits and dashes'],
  ['an invalid name between spaces', { name: ' a b ', value: '1' }, 'must have a name of letters, digits and dashes'],
])('%s shows an error at its row', (_name, header, message) => {
  const headers = [{ key: 0, ...header }];
  const parsed = parseInput(z.object({ headers: addedHeadersSchema }), { headers: headersOf(headers) });
  const problem = parsed.ok ? null : parsed.problem;
  const errorOf = (name: string) => problemAt(problem, `headers.${name}`);
  expect(renderToString(createElement(HeaderFields, { headers, errorOf, onChange: () => {} }))).toContain(message);
});

test('empty rows are not sent', () => {
  const rows = [
    { key: 0, name: '', value: '' },
    { key: 1, name: ' x-team ', value: 'a' },
  ];
  expect(headersOf(rows)).toEqual({ 'x-team': 'a' });
});
