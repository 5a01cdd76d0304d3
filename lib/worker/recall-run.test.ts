import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { markChanged, startListening, stopListening } from '#lib/database/changes.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { libraryLesson, setStatus } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { REMOVED_TEXT } from '#lib/settings/schema.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  testContext,
  testWorkerContext,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const SUM = { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' };
const TEXT = { input: 'Explain our rate limits to a new user' };

const stored = (runId: string) => storedRun(db.database(), runId);

async function performed(settings: ExperimentSettingsInput, task: { input: string; reference?: string }) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, task);
  await performRun(testWorkerContext(context), runId);
  return stored(runId);
}

/** Returns the prompts of the drafts and revisions of a run. */
async function drafted(runId: string): Promise<string[]> {
  const calls = await listModelCalls(db.database(), runId);
  return calls.filter(({ role }) => role === 'generate' || role === 'revise').map(({ prompt }) => prompt);
}

async function deleteLessons() {
  await db.database().pool.query('DELETE FROM lessons');
}

afterEach(() => stopListening(db.database()));

test.each([
  { name: 'once per run if changes are announced', listens: true, changes: false, once: true },
  { name: 'again after a change', listens: true, changes: true, once: false },
  { name: 'before each call if no changes are announced', listens: false, changes: false, once: false },
])('the library is searched $name', async ({ listens, changes, once }) => {
  await deleteLessons();
  // In the same store but without matching words, so it is not found.
  await libraryLesson(db.database(), { text: 'Prune olive trees in spring.' });
  const database = db.database();
  const context = testContext(database);
  const settings = { ...PRACTICE_SUMS, lessons: { write: 'off' as const } };
  const runId = await queuedRun(context, settings, SUM);
  const worker = testWorkerContext(context);
  if (listens) startListening(database);
  const asked = vi.spyOn(database.pool, 'query');
  const call: typeof worker.call = (...question) => {
    if (changes) markChanged(database, 'lessons');
    return worker.call(...question);
  };
  await performRun({ ...worker, call }, runId);
  const searches = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('input-words')).length;
  asked.mockRestore();
  const calls = (await drafted(runId)).length;
  expect(calls).toBeGreaterThan(1);
  expect(searches).toBe(once ? 1 : calls);
});

describe('lessons written by a run', () => {
  test('are recalled by other runs only while promoted and only for matching inputs', async () => {
    await deleteLessons();
    const learned = await performed(PRACTICE_SUMS, SUM);
    const ids = learned.history.lessons.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    expect(learned.history.evaluations[0]?.satisfactory).toBe(false);

    const before = await performed(PRACTICE_SUMS, SUM);
    expect(before.history.versions[0]?.recalledLessons).toEqual([]);
    expect((await drafted(before.run.id))[0]).not.toContain('recalled_lessons');

    await setStatus(db.database(), ids, 'promoted');
    const pupil = await performed(PRACTICE_SUMS, SUM);
    const [first] = pupil.history.versions;
    expect(first?.recalledLessons.map(({ lessonId }) => lessonId).toSorted()).toEqual(ids.toSorted());
    expect(first?.recalledLessons.map(({ rank }) => rank)).toEqual(ids.map((_, at) => at + 1));
    expect(pupil.history.evaluations[0]?.satisfactory).toBe(true);
    const [prompt = ''] = await drafted(pupil.run.id);
    for (const { text } of learned.history.lessons) expect(prompt).toContain(`- ${text}`);
    const events = await listRunEvents(db.database(), pupil.run.id, 0, 10);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'lessons_recalled', data: { attempt: 1, count: ids.length } }),
    );
    expect(await recalledTexts(db.database(), pupil.run.id)).toEqual(
      expect.arrayContaining(
        learned.history.lessons.map(({ id, text }) =>
          expect.objectContaining({
            version: 0,
            lessonId: id,
            text,
            status: 'promoted',
            effect: 'helpful',
            isOwn: false,
          }),
        ),
      ),
    );

    const unrelated = await performed(PRACTICE_WRITING, TEXT);
    expect(unrelated.history.versions.flatMap(({ recalledLessons }) => recalledLessons)).toEqual([]);

    await setStatus(db.database(), ids, 'archived');
    const later = await performed(PRACTICE_SUMS, SUM);
    expect((await drafted(later.run.id))[0]).not.toContain('recalled_lessons');
  });

  test.each([
    ['', false],
    [', before the change is announced', true],
  ])('are in no prompt after being archived, even in a run in progress%s', async (_, listens) => {
    await deleteLessons();
    if (listens) startListening(db.database());
    const text = 'When you explain rate limits to a new user, add an example.';
    const id = await libraryLesson(db.database(), { text });
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_WRITING, TEXT);
    const worker = testWorkerContext(context);
    let retired = false;
    await performRun(
      {
        ...worker,
        call: async (request, options) => {
          const outcome = await worker.call(request, options);
          if (!retired) await setStatus(db.database(), [id], 'archived');
          retired = true;
          return outcome;
        },
      },
      runId,
    );
    const [first, ...later] = await drafted(runId);
    expect(first).toContain(text);
    expect(later.length).toBeGreaterThan(0);
    for (const prompt of later) expect(prompt).not.toContain('recalled_lessons');
  });

  test.each(['archived', 'rejected'] as const)(
    'are omitted from later prompts of the same run once %s',
    async (status) => {
      await deleteLessons();
      const context = testContext(db.database());
      const runId = await queuedRun(context, PRACTICE_SUMS, { ...SUM, reference: '0' });
      const worker = testWorkerContext(context);
      let attempts = 0;
      await performRun(
        {
          ...worker,
          call: async (request, options) => {
            if (request.role === 'generate' && ++attempts === 2) {
              const [first] = (await stored(runId)).history.lessons;
              if (first) await setStatus(db.database(), [first.id], status);
            }
            return worker.call(request, options);
          },
        },
        runId,
      );
      const { history } = await stored(runId);
      const [first, second] = history.lessons;
      const given = history.versions.map(({ recalledLessons }) => recalledLessons.map(({ lessonId }) => lessonId));
      expect(given.slice(0, 2)).toEqual([[], [first?.id]]);
      expect(given.length).toBeGreaterThan(2);
      for (const ids of given.slice(2)) expect(ids).not.toContain(first?.id);
      expect(given[2]).toContain(second?.id);
      const prompts = await drafted(runId);
      expect(prompts.map((prompt) => prompt.match(/^- /gm)?.length ?? 0)).toEqual(given.map((ids) => ids.length));
    },
  );

  test('are in every prompt that creates a version, and in no other', async () => {
    await deleteLessons();
    await libraryLesson(db.database(), { text: 'Explain rate limits to a new user in plain words.' });
    const { run, history } = await performed(PRACTICE_WRITING, TEXT);
    expect(history.versions.length).toBeGreaterThan(1);
    for (const call of await listModelCalls(db.database(), run.id))
      expect(call.prompt.includes('recalled_lessons')).toBe(call.role === 'generate' || call.role === 'revise');
    for (const version of history.versions) expect(version.recalledLessons).toHaveLength(1);
  });

  test('are omitted from the record if deleted during a model call', async () => {
    await deleteLessons();
    await libraryLesson(db.database(), { text: 'Explain rate limits to a new user in plain words.' });
    const context = testContext(db.database());
    const runId = await queuedRun(context, { ...PRACTICE_WRITING, maxIterations: 0 }, TEXT);
    const worker = testWorkerContext(context);
    await performRun(
      {
        ...worker,
        call: async (request, options) => {
          await deleteLessons();
          return worker.call(request, options);
        },
      },
      runId,
    );
    const { run, history } = await stored(runId);
    expect(run.status).toBe('finished');
    expect(history.versions[0]?.recalledLessons).toEqual([]);
  });
});

describe('selection of recalled lessons', () => {
  test.each<{ name: string; settings: ExperimentSettingsInput['lessons']; texts: string[] }>([
    { name: 'none', settings: { store: 'none' }, texts: [] },
    {
      name: 'all lessons of a block, newest first, for its agent or any',
      settings: { store: 'block', block: 'shelf', agent: 'writer' },
      texts: ['Third.', 'First of all.'],
    },
    {
      name: 'lessons of a block within the token budget',
      settings: { store: 'block', block: 'shelf', agent: 'writer', tokenBudget: 2 },
      texts: ['Third.'],
    },
    {
      name: 'the most relevant lessons of any block',
      settings: { agent: 'writer', topK: 1 },
      texts: ['Explain rate limits to a user by numbers.'],
    },
    {
      name: 'the lessons of the named agent',
      settings: { agent: 'other', topK: 1 },
      texts: ['Explain rate limits to a new user, says the other.'],
    },
  ])('$name', async ({ settings, texts }) => {
    await deleteLessons();
    const database = db.database();
    const block = { block: 'shelf', agent: 'writer' };
    await libraryLesson(database, { ...block, agent: null, text: 'First of all.', createdAt: '2026-01-01T00:00:00Z' });
    await libraryLesson(database, {
      ...block,
      text: 'Second, not promoted.',
      status: 'quarantined',
      createdAt: '2026-01-02T00:00:00Z',
    });
    await libraryLesson(database, { ...block, text: 'Third.', createdAt: '2026-01-03T00:00:00Z' });
    await libraryLesson(database, {
      ...block,
      agent: 'other',
      text: 'Explain rate limits to a new user, says the other.',
    });
    await libraryLesson(database, { text: 'Explain rate limits to a user by numbers.' });
    const { run } = await performed({ ...PRACTICE_WRITING, maxIterations: 0, lessons: settings }, TEXT);
    expect((await recalledTexts(database, run.id)).map(({ text }) => text)).toEqual(texts);
  });

  test('pinned lessons come first while promoted, regardless of the token limit', async () => {
    await deleteLessons();
    const database = db.database();
    const promoted = await libraryLesson(database, { text: 'Explain rate limits to a new user in plain words.' });
    const pinned = await libraryLesson(database, {
      text: 'A lesson that has to do with nothing.',
    });
    const given = async (lessons: ExperimentSettingsInput['lessons']) => {
      const { run } = await performed({ ...PRACTICE_WRITING, maxIterations: 0, lessons }, TEXT);
      return (await recalledTexts(database, run.id)).map(({ lessonId }) => lessonId);
    };
    expect(await given({ pinned: [pinned] })).toEqual([pinned, promoted]);
    expect(await given({ pinned: [pinned], store: 'none' })).toEqual([pinned]);
    expect(await given({ pinned: [pinned], tokenBudget: 1 })).toEqual([pinned]);
    expect(await given({ pinned: [promoted, pinned] })).toEqual([promoted, pinned]);
    const context = testContext(database);
    const runId = await queuedRun(
      context,
      { ...PRACTICE_WRITING, maxIterations: 0, lessons: { pinned: [pinned] } },
      TEXT,
    );
    await setStatus(database, [pinned], 'quarantined');
    await performRun(testWorkerContext(context), runId);
    expect((await recalledTexts(database, runId)).map(({ lessonId }) => lessonId)).toEqual([promoted]);
  });

  test('staged lessons stay out of later prompts of the same run', async () => {
    await deleteLessons();
    const staged = await performed({ ...PRACTICE_SUMS, lessons: { write: 'stage' }, maxAttempts: 3 }, SUM);
    expect(staged.history.lessons.length).toBeGreaterThan(0);
    for (const prompt of await drafted(staged.run.id)) expect(prompt).not.toContain('lessons>');
    expect(staged.history.versions.flatMap(({ recalledLessons }) => recalledLessons)).toEqual([]);
    const { rows } = await db.database().pool.query('SELECT DISTINCT status FROM lessons');
    expect(rows).toEqual([{ status: 'candidate' }]);
  });
});

test('recall costs at most one query per second if no lesson was ever promoted', async () => {
  await deleteLessons();
  const { pool } = db.database();
  let queries = 0;
  const count = () => {
    queries++;
  };
  const costOf = async (lessons: ExperimentSettingsInput['lessons']) => {
    const context = testContext(db.database());
    const long = { ...PRACTICE_WRITING, qualityThreshold: 1, maxIterations: 9, convergence: null };
    const runId = await queuedRun(context, { ...long, lessons }, TEXT);
    queries = 0;
    const startedAt = performance.now();
    pool.on('acquire', count);
    await performRun(testWorkerContext(context), runId);
    pool.off('acquire', count);
    return { queries, seconds: Math.ceil((performance.now() - startedAt) / 1_000) };
  };
  const without = await costOf({ store: 'none' });
  const recalling = await costOf({ store: 'recall' });
  // Calls flushed by a timer rather than with a step can shift the count by one query.
  expect(recalling.queries - without.queries).toBeLessThanOrEqual(recalling.seconds + 1);
});

describe('a killed worker', () => {
  const LESSON = 'Explain rate limits to a new user in plain words.';
  const SETTINGS: ExperimentSettingsInput = { ...PRACTICE_WRITING, maxIterations: 0 };

  /** A run whose worker crashes at its first draft: at the model call, or before the response is saved. */
  async function killed(at: 'call' | 'save') {
    await deleteLessons();
    const id = await libraryLesson(db.database(), { text: LESSON });
    const context = testContext(db.database());
    const runId = await queuedRun(context, SETTINGS, TEXT);
    const worker = testWorkerContext(context);
    const asked: ModelRequest[] = [];
    const call: typeof worker.call = (request, options) => {
      if (request.role === 'generate') asked.push(request);
      if (at === 'call' && asked.length === 1) throw new Error('the worker dies here');
      return worker.call(request, options);
    };
    const crashing = {
      ...worker,
      call,
      ...(at === 'save' && { save: async () => Promise.reject(new Error('the worker dies here')) }),
    };
    await expect(performRun(crashing, runId)).rejects.toThrow('dies here');
    const resume = async () => {
      await performRun({ ...worker, call }, runId);
      return stored(runId);
    };
    return { id, asked, resume };
  }

  test('before the response: sends the same prompt again, although the lesson was edited and others were added', async () => {
    const { id, asked, resume } = await killed('call');
    await db
      .database()
      .pool.query(`UPDATE lessons SET text = 'Explain nothing at all to a new user.' WHERE id = $1`, [id]);
    await libraryLesson(db.database(), { text: 'Explain rate limits to a new user by numbers.' });
    const { run, history } = await resume();
    expect(asked).toHaveLength(2);
    expect(asked[1]).toEqual(asked[0]);
    expect(history.versions[0]?.recalledLessons).toMatchObject([{ lessonId: id, rank: 1 }]);
    expect((await recalledTexts(db.database(), run.id))[0]?.text).toBe(LESSON);
  });

  test('before the response, with the lesson archived: leaves it out of the prompt', async () => {
    const { id, asked, resume } = await killed('call');
    await setStatus(db.database(), [id], 'archived');
    const { history } = await resume();
    expect(asked[1]?.prompt).not.toContain('recalled_lessons');
    expect(history.versions[0]?.recalledLessons).toEqual([]);
  });

  test('after the response: reuses the saved response, although the lesson was archived', async () => {
    const { id, asked, resume } = await killed('save');
    await setStatus(db.database(), [id], 'archived');
    const { history } = await resume();
    expect(asked).toHaveLength(1);
    expect(history.versions[0]?.recalledLessons).toMatchObject([{ lessonId: id }]);
  });

  test('after a response that retention deleted: sends a new prompt without the archived lesson', async () => {
    const { id, asked, resume } = await killed('save');
    await db.database().pool.query(`UPDATE model_calls SET fingerprint = '', prompt = $1, text = $1`, [REMOVED_TEXT]);
    await setStatus(db.database(), [id], 'archived');
    const { history } = await resume();
    expect(asked).toHaveLength(2);
    expect(asked[1]?.prompt).not.toContain('recalled_lessons');
    expect(history.versions[0]?.recalledLessons).toEqual([]);
  });

  test('after the response without lessons: a lesson promoted meanwhile does not repeat the call', async () => {
    await deleteLessons();
    const context = testContext(db.database());
    const runId = await queuedRun(context, SETTINGS, TEXT);
    const worker = testWorkerContext(context);
    let asked = 0;
    const call: typeof worker.call = (request, options) => {
      if (request.role === 'generate') asked++;
      return worker.call(request, options);
    };
    const save = async () => Promise.reject(new Error('the worker dies here'));
    await expect(performRun({ ...worker, call, save }, runId)).rejects.toThrow('dies here');
    await libraryLesson(db.database(), { text: LESSON });
    await performRun({ ...worker, call }, runId);
    expect(asked).toBe(1);
    expect((await stored(runId)).run.status).toBe('finished');
  });
});
