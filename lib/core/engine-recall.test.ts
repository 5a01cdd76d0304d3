import { expect, test } from 'vitest';
import { createEngine, type EngineOptions } from './engine.ts';
import type { RecalledText } from './lesson-schema.ts';
import type { ModelRequest } from './model-request.ts';

const LESSONS: RecalledText[] = ['First.', 'Second.', 'Third.'].map((text, at) => ({
  id: `${at}`,
  kind: 'lesson',
  text,
  score: null,
}));

async function looped(lessons: EngineOptions['settings']['lessons'], mode: 'revise' | 'retry' = 'revise') {
  const asked: ModelRequest[] = [];
  const tasks: string[] = [];
  const engine = createEngine({
    settings: {
      mode,
      generator: { provider: 'own', model: 'm' },
      maxIterations: 1,
      maxAttempts: 2,
      convergence: null,
      revision: { strategy: 'full_rewrite' },
      criteria: [{ name: 'quality', validate: () => 0.1 }],
      lessons,
    },
    ask: async (request) => {
      asked.push(request);
      return request.role === 'lesson' ? 'second' : JSON.stringify({ summary: 'Dull.', issues: [], suggestions: [] });
    },
    recall: (task) => {
      tasks.push(task.input);
      return LESSONS;
    },
  });
  const result = await engine.execute('Write a greeting.');
  const prompts = asked.filter(({ role }) => role === 'generate' || role === 'revise').map(({ prompt }) => prompt);
  return { prompts, tasks, versions: result.history.versions };
}

test('calls a custom recall before each draft and revision and adds the lessons to their prompts', async () => {
  const { prompts, tasks, versions } = await looped({ topK: 2 });
  expect(tasks).toEqual(['Write a greeting.', 'Write a greeting.']);
  for (const prompt of prompts)
    expect(prompt).toContain('<recalled_lessons>\n- First.\n- Second.\n</recalled_lessons>');
  expect(versions.map(({ recalledLessons }) => recalledLessons.map(({ lessonId }) => lessonId))).toEqual([
    ['0', '1'],
    ['0', '1'],
  ]);
});

test("puts an attempt's own lessons first and removes duplicates", async () => {
  const { prompts, versions } = await looped({ topK: 2 }, 'retry');
  expect(prompts[1]).toContain('<lessons>\n- second\n</lessons>');
  expect(prompts[1]).toContain('<recalled_lessons>\n- First.\n</recalled_lessons>');
  expect(versions[1]?.recalledLessons.map(({ rank }) => rank)).toEqual([1, 2]);
});

test.each([
  { name: 'stays within the token budget', lessons: { tokenBudget: 3 }, count: 1 },
  { name: 'uses all lessons of a lessons block', lessons: { store: 'block' as const, topK: 1 }, count: 3 },
])('$name', async ({ lessons, count }) => {
  const { versions } = await looped(lessons);
  expect(versions[0]?.recalledLessons).toHaveLength(count);
});

test('does not call recall without a store', async () => {
  const { tasks, prompts } = await looped({ store: 'none' });
  expect(tasks).toEqual([]);
  expect(prompts.join('')).not.toContain('recalled_lessons');
});
