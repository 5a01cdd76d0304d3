import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { recalledTexts } from '#lib/lessons/recall-queries.ts';
import { libraryLesson } from '#lib/lessons/test-texts/library-lesson.test-support.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { raw, type ScriptedServer, startScriptedServer, status } from '#lib/testing/scripted-server.test-support.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const context = () => ({ ...testContext(db.database()), secret: SECRET });
const SECRET = Buffer.alloc(32, 7);
const TEXT = { input: 'Explain our rate limits to a new user' };
const SETTINGS: ExperimentSettingsInput = {
  ...PRACTICE_WRITING,
  maxIterations: 0,
  lessons: { embeddings: { provider: 'vectors', model: 'near-or-far' } },
};

let server: ScriptedServer;
let isDown = false;

/** Texts about throttling are close to each other in any wording; all others are far from them. */
function vectorOf(text: unknown): number[] {
  return /rate limits|throttl/i.test(String(text)) ? [1, 0.1, 0] : [0, 0.2, 1];
}

beforeAll(async () => {
  server = await startScriptedServer([
    (response, body, request) => {
      if (isDown) return status(400, 'no such model')(response, body, request);
      const texts = Array.isArray(body.input) ? body.input : [body.input];
      const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      const usage = { prompt_tokens: 7, total_tokens: 7 };
      raw(JSON.stringify({ object: 'list', model: 'near-or-far', data, usage }))(response, body, request);
    },
  ]);
  const provider = { name: 'vectors', kind: 'openai-compatible', baseUrl: server.baseUrl };
  unwrap(await saveProvider(context(), TESTER, provider));
});
afterAll(() => server.close());

async function performed(settings = SETTINGS) {
  const runId = await queuedRun(context(), settings, TEXT);
  await performRun(testWorkerContext(context()), runId);
  const run = await storedRun(db.database(), runId);
  const embedded = (await listModelCalls(db.database(), runId)).filter(({ role }) => role === 'embed');
  return { ...run, embedded, texts: (await recalledTexts(db.database(), runId)).map(({ text }) => text) };
}

describe('recall with an embedding model', () => {
  test('finds a lesson in other words; vectors are computed once, stored, journalled and counted', async () => {
    await libraryLesson(db.database(), { text: 'Throttling: say what happens past the quota.' });
    await libraryLesson(db.database(), { text: 'Bake bread at 230 degrees.', createdAt: '2026-01-06T10:00:00.000Z' });
    const first = await performed();
    expect(first.texts).toEqual(['Throttling: say what happens past the quota.']);
    expect(first.embedded.map(({ prompt }) => JSON.parse(prompt))).toEqual([
      [TEXT.input],
      [expect.stringContaining('Bake bread'), expect.stringContaining('Throttling')],
    ]);
    const [version] = first.history.versions;
    const generated = (await listModelCalls(db.database(), first.run.id)).find(({ role }) => role === 'generate');
    expect(version?.tokenUsage.input).toBe((generated?.tokenUsage.input ?? 0) + 14);
    const { rows } = await db.database().pool.query('SELECT provider, model, vector FROM lesson_embeddings');
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ provider: 'vectors', model: 'near-or-far', vector: [1, 0.1, 0] });

    const second = await performed();
    expect(second.texts).toEqual(first.texts);
    expect(second.embedded.map(({ prompt }) => JSON.parse(prompt))).toEqual([[TEXT.input]]);
  });

  test('pays for the same query of a run once', async () => {
    const { history, embedded } = await performed({
      ...SETTINGS,
      ...{ maxIterations: 2, qualityThreshold: 1, convergence: null },
    });
    expect(history.versions.map(({ recalledLessons }) => recalledLessons.length)).toEqual([1, 1, 1]);
    expect(embedded.map(({ prompt }) => JSON.parse(prompt))).toEqual([[TEXT.input]]);
  });

  test('ranks a lesson first if both words and meaning match', async () => {
    await libraryLesson(db.database(), { text: 'Explain rate limits to a new user by numbers.' });
    const { texts, history } = await performed();
    expect(texts[0]).toBe('Explain rate limits to a new user by numbers.');
    expect(history.versions[0]?.recalledLessons[0]?.score).toBe(1);
  });

  test('falls back to word search if the embedding call fails', async () => {
    isDown = true;
    const { texts, run, embedded } = await performed();
    isDown = false;
    expect(run.status).toBe('finished');
    expect(embedded[0]?.failure).not.toBeNull();
    expect(texts).toEqual(['Explain rate limits to a new user by numbers.']);
  });

  test('rejects a model of an unknown provider', async () => {
    const lessons = { embeddings: { provider: 'nowhere', model: 'm' } };
    expect(await createExperiment(context(), TESTER, { name: 'x', ...PRACTICE_WRITING, lessons })).toMatchObject({
      ok: false,
      problem: { field: 'lessons.embeddings.provider', message: expect.stringMatching(/no provider named "nowhere"/) },
    });
  });
});
