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

describe('the lessons of a step', () => {
  test('are its own, then the recalled ones, recorded in that order', async () => {
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
    { name: 'the same words', more: recalled('b', '  multiply FIRST – then add!') },
  ])('what both say stands once: $name', async ({ more }) => {
    const found = await stepLessons(
      [own('a', 'Multiply first, then add.')],
      recallOf([more, recalled('c', 'Check it.')]),
    );
    expect(found?.recalled).toMatchObject([{ id: 'c' }]);
    expect(found?.recalledLessons.map(({ rank }) => rank)).toEqual([1, 2]);
  });

  test('recalled ones that say the same stand once', async () => {
    const found = await stepLessons([], recallOf([recalled('a', 'Check it.'), recalled('b', 'check it')]));
    expect(found?.recalled).toMatchObject([{ id: 'a' }]);
  });

  test('are none where there is no library, and none at all when it was called off', async () => {
    expect(await stepLessons([], undefined)).toEqual({ own: [], recalled: [], recalledLessons: [], spend: NO_SPEND });
    expect(await stepLessons([], async () => null)).toBeNull();
  });
});

test.each([
  { write: 'learn', ids: ['a'] },
  { write: 'stage', ids: [] },
  { write: 'off', ids: [] },
] as const)('an attempt is given its run’s own lessons as it writes them: $write', ({ write, ids }) => {
  const settings = settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'any', evaluator: 'llm' }],
    lessons: { write },
  });
  const lessons = [own('a', 'One.'), own('b', 'What happened: …', 'failure')];
  expect(ownLessons(lessons, settings).map(({ id }) => id)).toEqual(ids);
});

test('a lesson that was withheld is not given to the run that wrote it', () => {
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
