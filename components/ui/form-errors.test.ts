import { describe, expect, test } from 'vitest';
import { errorAt, errorSentence, findFieldPath, withoutPath } from './form-errors.tsx';

const problems = [
  { field: 'name', message: 'name must not be empty (1 to 120 characters)' },
  { field: 'qualityThreshold', message: 'qualityThreshold must be a number from 0 to 1, got 1.5' },
  { field: 'lessons.pinned.1', message: 'lessons.pinned.1: there is no lesson a.' },
];

describe('several problems of one submit', () => {
  test('show each problem at its own field', () => {
    expect(['name', 'qualityThreshold', 'lessons.pinned.1', 'lessons'].map((path) => errorAt(problems, path))).toEqual([
      'must not be empty (1 to 120 characters)',
      'must be a number from 0 to 1, got 1.5',
      'there is no lesson a.',
      null,
    ]);
  });

  test.each([
    { field: 'lessons.pinned.1', path: 'lessons.pinned' },
    { field: 'generator.base', path: 'generator' },
    { field: 'name', path: 'name' },
    { field: 'lessons', path: null },
    { field: null, path: null },
  ])('a problem of $field shows at $path', ({ field, path }) => {
    expect(findFieldPath(field, new Set(['name', 'lessons.pinned', 'generator', 'generator.base.type']))).toBe(path);
  });
});

describe('errorSentence', () => {
  test.each([
    {
      label: 'Quality threshold',
      problem: { field: 'qualityThreshold', message: 'qualityThreshold must be from 0 to 1, got 2' },
      says: 'Quality threshold must be from 0 to 1, got 2',
    },
    {
      label: 'Drafts',
      problem: { field: 'generator.provider', message: 'generator.provider: there is no provider named "x".' },
      says: 'There is no provider named "x".',
    },
    {
      label: 'Results',
      problem: { field: 'days', message: 'days must be a number from 1 to 9, or null (kept forever), got "x"' },
      says: 'Results must be a number from 1 to 9, or empty (kept forever), got "x"',
    },
    {
      label: 'Proposals',
      problem: {
        field: 'budget.maxIterations',
        message: 'budget.maxIterations must be a number from 1 to 50, got null',
      },
      says: 'Proposals must be a number from 1 to 50, and the field is empty',
    },
    { label: 'Name', problem: { field: null, message: 'Hone did not respond.' }, says: 'Hone did not respond.' },
    { label: '', problem: { field: 'a', message: 'a must be b' }, says: 'Must be b' },
  ])('$says', ({ label, problem, says }) => {
    expect(errorSentence(label, withoutPath(problem))).toBe(says);
  });
});
