import { expect, test } from 'vitest';
import { parametersLabel } from './parameter-labels.ts';

const many = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`p${at}`, {}]));

test.each([
  ['no schema', {}, 'none'],
  ['no properties', { type: 'object', properties: {} }, 'none'],
  ['an invalid schema', { properties: [1], required: 'x' }, 'none'],
  [
    'types and optional parameters',
    { properties: { city: { type: 'string' }, days: { type: ['integer', 'null'] } }, required: ['city'] },
    'city (string), days (integer or null, optional)',
  ],
  ['an enum', { properties: { unit: { enum: ['C', 'F'] } }, required: ['unit'] }, 'unit (one of a list)'],
  ['no type for a property', { properties: { any: true }, required: ['any'] }, 'any'],
  ['a long name', { properties: { ['x'.repeat(100)]: {} }, required: [] }, `${'x'.repeat(60)}… (optional)`],
])('%s', (_name, parameters, words) => {
  expect(parametersLabel(parameters)).toBe(words);
});

test('names only the first of many parameters', () => {
  expect(parametersLabel({ properties: many })).toMatch(/^p0 \(optional\), .*p19 \(optional\), 2 more$/);
});
