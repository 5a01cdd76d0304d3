import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { redactedExcerpt } from '#lib/lessons/redact-lesson.ts';
import { libraryLesson } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { CALL_SPEND, verdict } from '#lib/testing/scripted-loop.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TEXT = { input: 'Explain our rate limits to a new user' };
const LESSON = 'Explain rate limits to a new user in plain words.';
const JUDGED: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'quality', evaluator: 'llm' }],
  revision: { strategy: 'full_rewrite' },
  maxIterations: 0,
};

/** A model that writes drafts and judges them with these scores in turn. `onCall` runs before each response. */
function scoring(
  scores: number[],
  onCall: (request: ModelRequest) => Promise<void> = async () => undefined,
): ModelCaller {
  let judged = 0;
  return async (request) => {
    await onCall(request);
    const reply = { finishReason: 'stop', attempts: 1, warnings: [], ...CALL_SPEND };
    if (request.role === 'evaluate') {
      const score = scores[Math.min(judged++, scores.length - 1)] ?? 0;
      return {
        ok: true,
        reply: {
          ...reply,
          text: JSON.stringify(
            verdict(Object.fromEntries(['quality', 'clarity', 'completeness'].map((name) => [name, score])), ['dull']),
          ),
        },
      };
    }
    const critique = { summary: 'Dull.', issues: [{ text: 'dull', criterion: null, scope: 'whole' }], suggestions: [] };
    return {
      ok: true,
      reply: { ...reply, text: request.role === 'reflect' ? JSON.stringify(critique) : `A text ${judged}.` },
    };
  };
}

async function performed(settings: ExperimentSettingsInput, call: ModelCaller, task: { input: string } = TEXT) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, task);
  await performRun(testWorkerContext(context, call), runId);
  return runId;
}

async function effects(runId: string) {
  const texts = await recalledTexts(db.database(), runId);
  return texts.map(({ version, effect }) => ({ version, effect }));
}

async function counters(id: string) {
  const { rows } = await db
    .database()
    .pool.query('SELECT helpful, harmful, neutral, last_used_at IS NOT NULL AS used FROM lessons WHERE id = $1', [id]);
  return rows[0];
}

async function onlyLesson(lesson: { sourceInput?: string; sourceScore?: number } = {}): Promise<string> {
  await db.database().pool.query('DELETE FROM lessons');
  return libraryLesson(db.database(), { text: LESSON, ...lesson });
}

describe('comparison of a first version', () => {
  test.each([
    { name: 'with the source of the lesson: better', source: 0.3, score: 0.9, effect: 'helpful' },
    { name: 'with the source of the lesson: worse', source: 0.8, score: 0.2, effect: 'harmful' },
    { name: 'with the source of the lesson: equal', source: 0.5, score: 0.52, effect: 'neutral' },
  ])('$name', async ({ source, score, effect }) => {
    const id = await onlyLesson({ sourceInput: TEXT.input, sourceScore: source });
    const runId = await performed(JUDGED, scoring([score]));
    expect(await effects(runId)).toEqual([{ version: 0, effect }]);
    expect(await counters(id)).toEqual({ helpful: 0, harmful: 0, neutral: 0, [effect]: 1, used: true });
  });

  test.each([
    ['an address', 'Explain our rate limits to a new user, ada.lovelace@example.org.'],
    ['an emoji', 'Explain our rate limits to a new user \u{1F600}!'],
  ])('with the source of a lesson without a run, from a long input with %s', async (_, beginning) => {
    const input = `${beginning}${' Keep it short, and name the person who has to answer the letter.'.repeat(4)}`;
    await onlyLesson({ sourceInput: await redactedExcerpt(input), sourceScore: 0.1 });
    const runId = await performed(JUDGED, scoring([0.9]), { input });
    expect(await effects(runId)).toEqual([{ version: 0, effect: 'helpful' }]);
  });

  test('without a baseline: counts the lesson as used, with no effect', async () => {
    const id = await onlyLesson({ sourceInput: 'Explain rate limits to an old user', sourceScore: 0.1 });
    const runId = await performed(JUDGED, scoring([0.9]));
    expect(await effects(runId)).toEqual([{ version: 0, effect: null }]);
    expect(await counters(id)).toEqual({ helpful: 0, harmful: 0, neutral: 0, used: true });
  });

  test('with earlier runs under the same settings that recalled no lessons', async () => {
    await db.database().pool.query('DELETE FROM lessons');
    const context = testContext(db.database());
    const experiment = unwrap(await createExperiment(context, TESTER, { name: 'x', ...JUDGED }));
    const run = async (score: number) => {
      const start = { cases: [TEXT] };
      const options = { idempotencyKey: null, watched: false };
      const [runId = ''] = unwrap(await startBatch(context, TESTER, experiment.id, start, options)).runIds;
      await performRun(testWorkerContext(context, scoring([score])), runId);
      return runId;
    };
    await run(0.8);
    await run(0.6);
    const id = await libraryLesson(db.database(), { text: LESSON });
    expect(await effects(await run(0.9))).toEqual([{ version: 0, effect: 'helpful' }]);
    // The run that recalled the lesson is not part of the baseline.
    expect(await effects(await run(0.7))).toEqual([{ version: 0, effect: 'neutral' }]);
    expect(await counters(id)).toMatchObject({ helpful: 1, neutral: 1 });
  });
});

describe('comparison of a later version with the previous one', () => {
  test.each([
    { name: 'that did not recall the lesson', scores: [0.5, 0.2], effect: 'harmful' },
    { name: 'and improves', scores: [0.3, 0.6], effect: 'helpful' },
  ])('$name', async ({ scores, effect }) => {
    await db.database().pool.query('DELETE FROM lessons');
    let id: string | null = null;
    const call = scoring(scores, async ({ role }) => {
      // Promotes the lesson during the critique of the first version. Workers check for promoted lessons at most once a second.
      if (role === 'reflect') {
        id = await libraryLesson(db.database(), { text: LESSON });
        await new Promise((resolve) => setTimeout(resolve, 1_050));
      }
    });
    const runId = await performed({ ...JUDGED, maxIterations: 1, convergence: null }, call);
    expect(await effects(runId)).toEqual([{ version: 1, effect }]);
    expect(await counters(id ?? '')).toMatchObject({ [effect]: 1 });
  });

  test('that also recalled the lesson: records no effect', async () => {
    const id = await onlyLesson();
    const runId = await performed({ ...JUDGED, maxIterations: 1, convergence: null }, scoring([0.3, 0.9]));
    expect(await effects(runId)).toEqual([
      { version: 0, effect: null },
      { version: 1, effect: null },
    ]);
    expect(await counters(id)).toEqual({ helpful: 0, harmful: 0, neutral: 0, used: true });
  });

  test('in retry mode: uses the previous attempt and includes lessons of the run itself', async () => {
    await db.database().pool.query('DELETE FROM lessons');
    const settings: ExperimentSettingsInput = {
      ...JUDGED,
      mode: 'retry',
      maxAttempts: 3,
      convergence: null,
      qualityThreshold: 0.95,
    };
    const runId = await performed(settings, scoring([0.2, 0.6, 0.3]));
    expect(await effects(runId)).toEqual([
      { version: 1, effect: 'helpful' },
      { version: 2, effect: null },
      { version: 2, effect: 'harmful' },
    ]);
  });
});

test('a version scored without a model has its effect from the first save', async () => {
  const id = await onlyLesson({ sourceInput: TEXT.input, sourceScore: 0 });
  const criteria = [{ name: 'form', evaluator: 'regex' as const, config: { pattern: 'text' } }];
  const runId = await performed({ ...JUDGED, criteria }, scoring([]));
  expect(await effects(runId)).toEqual([{ version: 0, effect: 'helpful' }]);
  expect(await counters(id)).toMatchObject({ helpful: 1 });
});

test.each([
  { name: 'before the save', saves: false },
  { name: 'after the save', saves: true },
])('counts an effect once if the worker is killed $name', async ({ saves }) => {
  const id = await onlyLesson({ sourceInput: TEXT.input, sourceScore: 0 });
  const context = testContext(db.database());
  const runId = await queuedRun(context, JUDGED, TEXT);
  const worker = testWorkerContext(context, scoring([0.9]));
  let died = false;
  const save: typeof worker.save = async (request) => {
    if (died || !request.results.some(({ type }) => type === 'evaluation')) return worker.save(request);
    died = true;
    if (saves) await worker.save(request);
    throw new Error('the worker dies here');
  };
  await expect(performRun({ ...worker, save }, runId)).rejects.toThrow('dies here');
  await performRun({ ...worker, save }, runId);
  expect(await effects(runId)).toEqual([{ version: 0, effect: 'helpful' }]);
  expect(await counters(id)).toMatchObject({ helpful: 1 });
});

test('counts all concurrent runs that recall the same lessons, without failures', async () => {
  await db.database().pool.query('DELETE FROM lessons');
  const ids: string[] = [];
  for (const ordinal of ['first', 'second', 'third'])
    ids.push(
      await libraryLesson(db.database(), {
        text: `${LESSON} The ${ordinal} way.`,
        sourceInput: TEXT.input,
        sourceScore: 0,
      }),
    );
  const context = testContext(db.database());
  const runIds = await Promise.all(
    Array.from({ length: 24 }, () => queuedRun(context, { ...PRACTICE_WRITING, maxIterations: 0 }, TEXT)),
  );
  // One worker per run, so that their saves run concurrently and not in one group.
  await Promise.all(runIds.map((runId) => performRun(testWorkerContext(context, scoring([0.9])), runId)));
  for (const id of ids) expect(await counters(id)).toMatchObject({ helpful: 24 });
});
