import { describe, expect, test } from 'vitest';
import { defaultCriteria } from './criterion.ts';
import { createEngine } from './engine.ts';
import { settingsSchema } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

const NAMES = {
  code: ['correctness', 'efficiency', 'readability', 'edge_cases'],
  writing: ['clarity', 'coherence', 'completeness', 'tone'],
  analysis: ['accuracy', 'depth', 'relevance', 'objectivity'],
  reasoning: ['logical_validity', 'completeness', 'clarity'],
};
const BASE = { mode: 'revise', generator: { provider: 'practice', model: 'practice-1' } };

describe('omitted criteria', () => {
  test.each(Object.entries(NAMES))('use the defaults of a %s task', (taskType, names) => {
    const { criteria } = settingsSchema.parse({ ...BASE, taskType });
    expect(criteria.map(({ name }) => name)).toEqual(names);
    expect(settingsSchema.parse({ ...BASE, taskType, criteria }).criteria).toEqual(criteria);
  });

  test('are rejected for a custom task, with a remedy', () => {
    for (const taskType of ['custom', undefined]) {
      const read = settingsSchema.safeParse({ ...BASE, taskType });
      expect(read.error?.issues).toMatchObject([
        { path: ['criteria'], message: expect.stringContaining('left out with a taskType of code, writing') },
      ]);
    }
  });

  test('do not include an empty list, which is rejected', () => {
    expect(settingsSchema.safeParse({ ...BASE, taskType: 'code', criteria: [] }).error?.issues[0]?.message).toContain(
      'must contain at least one criterion',
    );
  });

  test('are copied for each settings object', () => {
    const [first] = settingsSchema.parse({ ...BASE, taskType: 'code' }).criteria;
    if (first === undefined) throw new Error('no criterion');
    first.name = 'changed';
    expect(defaultCriteria('code')?.[0]?.name).toBe('correctness');
  });

  test('use the same defaults in createEngine', async () => {
    const asked: string[][] = [];
    const engine = createEngine({
      settings: { taskType: 'reasoning', generator: BASE.generator, maxIterations: 0 },
      ask: async () => 'So it follows.',
      evaluate: async ({ settings }) => {
        asked.push(settings.criteria.map(({ name }) => name));
        return {
          ok: true,
          evaluation: {
            ...NO_SPEND,
            status: 'scored',
            overallScore: 1,
            criteriaScores: Object.fromEntries(NAMES.reasoning.map((name) => [name, 1])),
            reasons: {},
            satisfactory: true,
            issues: [],
            suggestions: [],
            confidence: null,
            feedback: '',
            detail: '',
            answer: null,
          },
        };
      },
    });
    expect((await engine.execute('Why?')).success).toBe(true);
    expect(asked).toEqual([NAMES.reasoning]);
  });
});
