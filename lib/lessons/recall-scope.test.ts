import { beforeEach, describe, expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { searchLessons } from '#lib/worker/run-tools.ts';
import { recallLessons } from './recall-lessons.ts';
import { recalledTexts } from './recall-queries.ts';
import { libraryLesson } from './test-texts/library-lesson.test-support.ts';

const db = useTestDatabase();
const INPUT = 'Collect the opening hours of all museums in Graz';
const QUESTION = {
  ...{ store: 'recall' as const, block: '', topK: 3, tokenBudget: 1_500, pinned: [], without: [] },
  ...{ agent: 'default', taskType: 'web scraping', tools: ['http_fetch'], input: INPUT },
};

beforeEach(async () => {
  await db.database().pool.query('DELETE FROM lessons');
});

async function found(changes: Partial<Parameters<typeof recallLessons>[1]> = {}): Promise<string[]> {
  const recalled = await recallLessons(db.database(), { ...QUESTION, ...changes }, null);
  return recalled?.lessons.map(({ text }) => text) ?? [];
}

const BOTH = { text: 'Wait a second between two requests.', taskType: 'web scraping', tools: ['http_fetch'] };

describe('lesson without a common word', () => {
  test.each([
    ['of the same task type and tool', BOTH],
    ['of the same task type', { ...BOTH, tools: [] }],
    ['of the same tool', { ...BOTH, taskType: null }],
    ['of the same task type, for all agents', { ...BOTH, agent: null }],
  ])('%s is recalled', async (_name, lesson) => {
    await libraryLesson(db.database(), lesson);
    expect(await found()).toEqual([lesson.text]);
  });

  test.each([
    ['of another task type and tool', { ...BOTH, taskType: 'writing', tools: ['shell'] }],
    ['without a task type and tool', { ...BOTH, taskType: null, tools: [] }],
    ['of another agent', { ...BOTH, agent: 'other' }],
    ['that waits for review', { ...BOTH, status: 'quarantined' }],
  ])('%s is not recalled', async (_name, lesson) => {
    await libraryLesson(db.database(), lesson);
    expect(await found()).toEqual([]);
  });

  test('is not recalled for the task type "custom", which names no type', async () => {
    await libraryLesson(db.database(), { ...BOTH, taskType: 'custom', tools: [] });
    expect(await found({ taskType: 'custom' })).toEqual([]);
  });

  test('is recalled if it mentions the API in the input', async () => {
    const text = 'Before GET /v1/museums, renew the token.';
    await libraryLesson(db.database(), { text });
    await libraryLesson(db.database(), { text: 'Before GET /v1/theatres, renew the token.' });
    const input =
      'How many paintings does each entry of https://api.example.com/v1/museums list, by century and painter?';
    expect(await found({ input, taskType: 'custom', tools: [] })).toEqual([text]);
  });

  test('ranks below lessons that match the input, and the newest fill the remaining slots', async () => {
    const database = db.database();
    const relevant = 'Museums in Graz write their opening hours in a table; collect all of it.';
    await libraryLesson(database, { text: relevant });
    for (const day of [1, 2, 3, 4])
      await libraryLesson(database, { ...BOTH, text: `Rule ${day}.`, createdAt: `2026-01-0${day}T00:00:00.000Z` });
    expect(await found()).toEqual([relevant, 'Rule 4.', 'Rule 3.']);
  });
});

async function givenToRun(changes: Partial<ExperimentSettingsInput>): Promise<string[]> {
  const settings: ExperimentSettingsInput = { ...PRACTICE_WRITING, maxIterations: 0, ...changes };
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, { input: INPUT });
  await performRun(testWorkerContext(context), runId);
  return (await recalledTexts(db.database(), runId)).map(({ text }) => text);
}

test('a run recalls a lesson of its task type regardless of its words', async () => {
  await libraryLesson(db.database(), { ...BOTH, tools: [] });
  expect(await givenToRun({ taskType: 'Web  Scraping' })).toEqual([BOTH.text]);
});

describe.each(['recall', 'block'] as const)('lesson store %s', (store) => {
  test.each([
    { agents: 'its own and those for all agents', recallAgents: 'own', texts: ['For all.', 'Of the writer.'] },
    { agents: 'those of every agent', recallAgents: 'all', texts: ['For all.', 'Of the critic.', 'Of the writer.'] },
  ] as const)('a run recalls lessons of $agents', async ({ recallAgents, texts }) => {
    const scope = { taskType: 'web scraping', createdAt: '2026-01-01T00:00:00.000Z' };
    await libraryLesson(db.database(), { ...scope, text: 'Of the writer.', agent: 'writer' });
    await libraryLesson(db.database(), { ...scope, text: 'Of the critic.', agent: 'critic' });
    await libraryLesson(db.database(), { ...scope, text: 'For all.' });
    const lessons = { store, agent: 'writer', recallAgents };
    expect((await givenToRun({ taskType: 'web scraping', lessons })).sort()).toEqual(texts);
  });
});

test("an agent's lesson search finds lessons of every agent if allowed", async () => {
  await libraryLesson(db.database(), {
    text: 'Museums in Graz write their opening hours in a table.',
    agent: 'critic',
  });
  const settings = settingsSchema.parse(PRACTICE_WRITING);
  const looked = async (recallAgents: 'own' | 'all') => {
    const lessons = { ...settings.lessons, agent: 'writer', recallAgents };
    return (await searchLessons(db.database(), { ...settings, lessons }, [])(INPUT, 3, new AbortController().signal))
      ?.length;
  };
  expect(await looked('own')).toBe(0);
  expect(await looked('all')).toBe(1);
});
