import { expect, test } from 'vitest';
import { parametersLabel } from './parameter-labels.ts';

const many = Object.fromEntries(Array.from({ length: 22 }, (_, at) => [`p${at}`, {}]));

test.each([
  ['nothing', {}, 'nothing'],
  ['no members', { type: 'object', properties: {} }, 'nothing'],
  ['what is no schema', { properties: [1], required: 'x' }, 'nothing'],
  [
    'types, and what may be left out',
    { properties: { city: { type: 'string' }, days: { type: ['integer', 'null'] } }, required: ['city'] },
    'city (string), days (integer or null, optional)',
  ],
  ['a list to choose from', { properties: { unit: { enum: ['C', 'F'] } }, required: ['unit'] }, 'unit (one of a list)'],
  ['no word of a member', { properties: { any: true }, required: ['any'] }, 'any'],
  ['a long name', { properties: { ['x'.repeat(100)]: {} }, required: [] }, `${'x'.repeat(60)}… (optional)`],
])('%s', (_name, parameters, words) => {
  expect(parametersLabel(parameters)).toBe(words);
});

test('names only the first of many parameters', () => {
  expect(parametersLabel({ properties: many })).toMatch(/^p0 \(optional\), .*p19 \(optional\), 2 more$/);
});
