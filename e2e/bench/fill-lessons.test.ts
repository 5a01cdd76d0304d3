import { expect, test } from 'vitest';
import { recallLessons } from '#lib/lessons/recall-lessons.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { fillLessons, inputOf, sentence } from './fill-lessons.ts';

const db = useTestDatabase();

test('the large benchmark library fits the current schema, and each lesson is recalled by its input', async () => {
  const database = db.database();
  await fillLessons(database.pool, 2_500);
  const question = { store: 'recall' as const, block: '', topK: 3, tokenBudget: 1_500, pinned: [], without: [] };
  for (const lesson of [0, 1_234, 2_499]) {
    const scope = { agent: null, taskType: 'custom', tools: [] };
    const recalled = await recallLessons(database, { ...question, ...scope, input: inputOf(lesson) }, null);
    expect(recalled?.lessons[0]?.text).toBe(sentence(lesson * 2, 24));
  }
});
