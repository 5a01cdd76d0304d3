import { describe, expect, test } from 'vitest';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { tryRecall } from './recall-lessons.ts';
import { libraryLesson, setStatus } from './test-texts/library-lesson.test-support.ts';

const db = useTestDatabase();
const INPUT = 'Explain our rate limits to a new user';

async function tried(input: object) {
  return unwrap(await tryRecall(testContext(db.database()), TESTER, { input: INPUT, ...input }));
}

describe('recalled lessons for an input', () => {
  test('are ranked and returned with their prompt section and its tokens', async () => {
    const database = db.database();
    const best = await libraryLesson(database, {
      text: 'Explain rate limits to a new user in plain words.',
      kind: 'principle',
    });
    const next = await libraryLesson(database, {
      text: 'Explain limits of a rate by numbers.',
      agent: 'writer',
      taskType: 'writing',
    });
    const other = await libraryLesson(database, { text: 'Bake bread at 230 degrees.' });
    await setStatus(database, [other], 'promoted');
    const { lessons, tokens, promptPart } = await tried({});
    expect(lessons.map(({ id, rank }) => ({ id, rank }))).toEqual([
      { id: best, rank: 1 },
      { id: next, rank: 2 },
    ]);
    expect(lessons[0]?.score).toBeGreaterThan(lessons[1]?.score ?? 1);
    const lines = '- Rule: Explain rate limits to a new user in plain words.\n- Explain limits of a rate by numbers.';
    expect(promptPart).toMatch(/^Advice from earlier work/);
    expect(promptPart.endsWith(`<recalled_lessons>\n${lines}\n</recalled_lessons>`)).toBe(true);
    expect(tokens).toBe(lines.split('\n').reduce((sum, line) => sum + Math.ceil(line.length / 4), 0));

    expect((await tried({ topK: 1 })).lessons.map(({ id }) => id)).toEqual([best]);
    expect((await tried({ tokenBudget: 10 })).lessons.map(({ id }) => id)).toEqual([next]);
    expect((await tried({ scope: { agent: 'critic' } })).lessons.map(({ id }) => id)).toEqual([best]);
    expect((await tried({ scope: { agent: 'writer', taskType: 'writing' } })).lessons.map(({ id }) => id)).toEqual([
      best,
      next,
    ]);
  });

  test.each(['Which river flows through Vienna?', 'the of and', '', "quotes ' and \\ slashes & signs | : * !"])(
    'are empty for %j',
    async (input) => {
      expect(await tried({ input })).toEqual({ lessons: [], tokens: 0, promptPart: '' });
    },
  );
});

test.each([
  ['no input', { input: undefined }, 'input'],
  ['too many', { topK: 21 }, 'topK'],
  ['no tokens', { tokenBudget: 0 }, 'tokenBudget'],
  ['a blank task type', { scope: { taskType: ' ' } }, 'scope.taskType'],
  ['an unknown key', { query: 'x' }, 'query'],
])('refuses %s', async (_name, changes, field) => {
  expect(await tryRecall(testContext(db.database()), TESTER, { input: INPUT, ...changes })).toMatchObject({
    ok: false,
    problem: { code: 'invalid', field },
  });
});
