import { beforeAll, expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { recallLessons } from './recall-lessons.ts';
import {
  HELD_OUT_PAIRS,
  OTHER_WORDS,
  otherLessons,
  RECALL_TABLE,
  UNRELATED,
} from './test-texts/recall-table.test-support.ts';

const db = useTestDatabase();
const OTHERS = 500;
const QUESTION = {
  ...{ store: 'recall' as const, block: '', topK: 5, tokenBudget: 100_000, pinned: [], without: [] },
  ...{ agent: 'default', taskType: 'custom', tools: [] },
};

beforeAll(async () => {
  const texts = [
    ...[...RECALL_TABLE, ...OTHER_WORDS, ...HELD_OUT_PAIRS].map(({ lesson }) => lesson),
    ...otherLessons(OTHERS),
  ];
  await db.database().pool.query(
    `INSERT INTO lessons (id, kind, status, text, block, tools, source_input, created_by, created_at)
     SELECT gen_random_uuid(), 'lesson', 'promoted', l.text, 'reflexion_lessons', '{}', '', 'tester', timestamptz '2026-01-01' + l.n * interval '1 minute'
     FROM unnest($1::text[]) WITH ORDINALITY AS l(text, n)`,
    [texts],
  );
  await db.database().pool.query('VACUUM ANALYZE lessons');
});

async function found(input: string): Promise<string[]> {
  const recalled = await recallLessons(db.database(), { ...QUESTION, input }, null);
  return recalled?.lessons.map(({ text }) => text) ?? [];
}

/** Returns the share of inputs whose lesson is among the first five, and the inputs that missed it. */
async function recallAt5(inputs: { input: string | undefined; lesson: string }[]) {
  const asked = inputs.flatMap(({ input, lesson }) => (input === undefined ? [] : [{ input, lesson }]));
  const missed: string[] = [];
  for (const { input, lesson } of asked) if (!(await found(input)).includes(lesson)) missed.push(input);
  return { share: 1 - missed.length / asked.length, count: asked.length, missed };
}

test('inputs with the words of a lesson recall it', async () => {
  const { share, count, missed } = await recallAt5(
    RECALL_TABLE.map(({ ordinary: input, lesson }) => ({ input, lesson })),
  );
  expect(count).toBeGreaterThanOrEqual(100);
  expect({ share, missed }).toEqual({ share: 1, missed: [] });
});

test('inputs with other words recall the lesson', async () => {
  const { share, count } = await recallAt5(RECALL_TABLE.map(({ synonym: input, lesson }) => ({ input, lesson })));
  expect(count).toBeGreaterThanOrEqual(30);
  expect(share).toBeGreaterThanOrEqual(0.5);
});

test.each([
  ['that the settings were tuned on', OTHER_WORDS, 0.5],
  ['that nothing was tuned on', HELD_OUT_PAIRS, 0.4],
] as const)('inputs with other words recall the lesson, for pairs %s', async (_name, pairs, least) => {
  const { share, count } = await recallAt5([...pairs]);
  expect(count).toBeGreaterThanOrEqual(30);
  expect(share).toBeGreaterThanOrEqual(least);
});

test('single words recall the lesson', async () => {
  const { share, count } = await recallAt5(RECALL_TABLE.map(({ word: input, lesson }) => ({ input, lesson })));
  expect(count).toBeGreaterThanOrEqual(30);
  expect(share).toBeGreaterThanOrEqual(0.8);
});

test('unrelated inputs recall almost nothing', async () => {
  const answers = await Promise.all(UNRELATED.map(found));
  expect(answers.filter((texts) => texts.length > 0).length).toBeLessThanOrEqual(1);
});
