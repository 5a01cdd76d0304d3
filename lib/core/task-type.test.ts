import { describe, expect, test } from 'vitest';
import { namedTaskType, TASK_TYPES } from './lesson-schema.ts';
import { taskTypeSchema } from './setting-parts.ts';
import { settingsSchema } from './settings.ts';

const SETTINGS = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'short', evaluator: 'regex', config: { pattern: '.' } }],
};

describe('task type', () => {
  test.each<[given: string, stored: string]>([
    ['web scraping', 'web scraping'],
    ['  Web   Scraping ', 'web scraping'],
    ['SQL', 'sql'],
    ...TASK_TYPES.map((type): [string, string] => [type, type]),
  ])('%j is stored as %j', (given, stored) => {
    expect(taskTypeSchema.parse(given)).toBe(stored);
    expect(settingsSchema.parse({ ...SETTINGS, taskType: given }).taskType).toBe(stored);
  });

  test.each(['', '   ', 'x'.repeat(121), 7, null])('rejects %j', (given) => {
    expect(settingsSchema.safeParse({ ...SETTINGS, taskType: given }).error?.issues[0]?.path).toEqual(['taskType']);
  });

  test('defaults to custom, which is not a named type', () => {
    const { taskType } = settingsSchema.parse(SETTINGS);
    expect(taskType).toBe('custom');
    expect(namedTaskType(taskType)).toBeNull();
    expect(namedTaskType('web scraping')).toBe('web scraping');
  });
});
