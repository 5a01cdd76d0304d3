import { describe, expect, test } from 'vitest';
import type { WrittenLesson } from './history.ts';
import { ownLessons, stepLessons } from './lesson-form.ts';
import type { RecalledText } from './lesson-schema.ts';
import { settingsSchema } from './settings.ts';
import { NO_SPEND } from './token-usage.ts';

function own(id: string, text: string, kind: WrittenLesson['kind'] = 'lesson'): WrittenLesson {
  return { ...NO_SPEND, id, version: 0, kind, text, fields: {}, createdAt: '2026-01-05T10:00:00.000Z', step: 2 };
}

function recalled(id: string, text: string, score: number | null = 0.5): RecalledText {
  return { id, kind: 'lesson', text, score };
}

const spend = { tokenUsage: { input: 3, output: 0, total: 3 }, costUsd: 0.1, durationMs: 5 };
const recallOf = (lessons: RecalledText[]) => async () => ({ lessons, spend });

describe('stepLessons', () => {
  test('returns lessons of the run, then recalled ones, and records them in that order', async () => {
    const found = await stepLessons(
      [own('a', 'One.')],
      recallOf([recalled('b', 'Two.', 0.9), recalled('c', 'Three.')]),
    );
    expect(found).toMatchObject({ own: [{ id: 'a' }], recalled: [{ id: 'b' }, { id: 'c' }], spend });
    expect(found?.recalledLessons).toEqual([
      { lessonId: 'a', rank: 1, score: null },
      { lessonId: 'b', rank: 2, score: 0.9 },
      { lessonId: 'c', rank: 3, score: 0.5 },
    ]);
  });

  test.each([
    { name: 'the same lesson', more: recalled('a', 'Edited since.') },
    { name: 'the same text', more: recalled('b', '  multiply FIRST – then add!') },
  ])('removes a recalled lesson that repeats an own one: $name', async ({ more }) => {
    const found = await stepLessons(
      [own('a', 'Multiply first, then add.')],
      recallOf([more, recalled('c', 'Check it.')]),
    );
    expect(found?.recalled).toMatchObject([{ id: 'c' }]);
    expect(found?.recalledLessons.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  test('lists a lesson once that a run found twice', async () => {
    const found = await stepLessons([own('a', 'Check it.'), own('b', 'Name it.'), own('c', 'check it')], undefined);
    expect(found?.own.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(found?.recalledLessons.map(({ lessonId }) => lessonId)).toEqual(['a', 'b']);
  });

  test('removes duplicate recalled lessons', async () => {
    const found = await stepLessons([], recallOf([recalled('a', 'Check it.'), recalled('b', 'check it')]));
    expect(found?.recalled).toMatchObject([{ id: 'a' }]);
  });

  test('returns no lessons without a library, and null if recall was aborted', async () => {
    expect(await stepLessons([], undefined)).toEqual({ own: [], recalled: [], recalledLessons: [], spend: NO_SPEND });
    expect(await stepLessons([], async () => null)).toBeNull();
  });
});

test.each([
  { write: 'learn', ids: ['a'] },
  { write: 'stage', ids: [] },
  { write: 'off', ids: [] },
] as const)("ownLessons returns the run's lessons only with write: $write", ({ write, ids }) => {
  const settings = settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'any', evaluator: 'llm' }],
    lessons: { write },
  });
  const lessons = [own('a', 'One.'), own('b', 'What happened: …', 'failure')];
  expect(ownLessons(lessons, settings).map(({ id }) => id)).toEqual(ids);
});

test('ownLessons omits withheld lessons', () => {
  const settings = settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'any', evaluator: 'llm' }],
    lessons: { write: 'learn' },
  });
  const lessons = [
    { ...own('a', 'One.'), withheld: true },
    own('b', 'Two.'),
    { ...own('c', 'Three.'), withheld: false },
  ];
  expect(ownLessons(lessons, settings).map(({ id }) => id)).toEqual(['b', 'c']);
});
