import { describe, expect, test } from 'vitest';
import { problemsOf } from '#lib/core/problem.ts';
import { countExperiments, findExperiment } from '#lib/experiments/queries.ts';
import { findRun } from '#lib/runs/queries.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { PRACTICE_SUMS, PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { type PreviewEvent, planPreview, previewAnswer } from './preview-answer.ts';
import { startNewExperiment } from './start-batch.ts';

const db = useTestDatabase();
const WRITING = { name: 'Letters', ...PRACTICE_WRITING };

const stored = async () => (await countExperiments(db.database())).reduce((sum, { count }) => sum + count, 0);

const start = (input: unknown) => startNewExperiment(testContext(db.database()), TESTER, input);

async function refused(input: unknown) {
  const before = await stored();
  const result = await start(input);
  expect(await stored()).toBe(before);
  return result.ok ? [] : problemsOf(result.problem);
}

describe('a new experiment with its first batch', () => {
  test('is created and started in one request', async () => {
    const asked = { experiment: WRITING, start: { input: 'Thank a friend.' } };
    const { id, batchId, runIds } = unwrap(await start(asked));
    expect(batchId).not.toBeNull();
    expect(await findExperiment(db.database(), id)).toMatchObject({ name: 'Letters', batches: [{ id: batchId }] });
    expect((await findRun(db.database(), runIds[0] ?? ''))?.record.case.input).toBe('Thank a friend.');
  });

  test('reports the errors of both parts at once and stores nothing', async () => {
    const problems = await refused({ experiment: { ...WRITING, name: '', qualityThreshold: 2 }, start: { input: '' } });
    expect(problems.map(({ field }) => field)).toEqual(['qualityThreshold', 'name', 'start.input']);
    expect(problems[2]?.message).toBe('start.input must not be empty');
  });

  test('refuses a case that cannot be scored and stores nothing', async () => {
    const problems = await refused({
      experiment: { name: 'Sums', ...PRACTICE_SUMS },
      start: { input: 'What is 2 + 2?' },
    });
    expect(problems).toMatchObject([{ field: 'start.reference', message: expect.stringContaining('no reference') }]);
  });

  test('refuses a missing or unknown start', async () => {
    expect(await refused({ experiment: WRITING })).toMatchObject([{ field: 'start' }]);
    expect(await refused(null)).not.toEqual([]);
  });
});

describe('draft preview', () => {
  const experiment = { generator: { provider: 'practice', model: 'practice-1', instructions: 'Be brief.' } };

  async function preview(input: unknown) {
    const context = testContext(db.database());
    const plan = await planPreview(context, input);
    if (!plan.ok) return problemsOf(plan.problem);
    const events: PreviewEvent[] = [];
    const { signal } = new AbortController();
    await previewAnswer(context, plan.value, {
      signal,
      emit: (event) => events.push(event),
      call: async (request, { onText }) => {
        const text = `${request.instructions} ${request.prompt}`;
        onText?.(text);
        const tokenUsage = { input: 9, output: 2, total: 11 };
        return {
          ok: true,
          reply: { text, finishReason: 'stop', tokenUsage, costUsd: 0.5, latencyMs: 12.4, attempts: 1, warnings: [] },
        };
      },
    });
    return events;
  }

  test('generates a first draft for a typed case, with time and cost', async () => {
    const events = await preview({ experiment, start: { input: 'Thank a friend.' } });
    expect(events).toMatchObject([
      { type: 'begin', input: 'Thank a friend.' },
      { type: 'text', piece: expect.stringMatching(/^Be brief\. [\s\S]*Thank a friend\./) },
      { type: 'end', durationMs: 12, inputTokens: 9, outputTokens: 2, costUsd: 0.5 },
    ]);
  });

  test('uses the first case of a dataset', async () => {
    const cases = [{ input: 'First' }, { input: 'Second' }];
    const { id } = unwrap(await createDataset(testContext(db.database()), TESTER, { name: 'Two', cases }));
    expect(await preview({ experiment, start: { datasetId: id } })).toContainEqual({ type: 'begin', input: 'First' });
  });

  test('reports the invalid field', async () => {
    const unknownProvider = { generator: { ...experiment.generator, provider: 'nobody' } };
    expect(await preview({ experiment: unknownProvider, start: { input: 'x' } })).toMatchObject([
      { field: 'experiment.generator.provider' },
    ]);
    expect(await preview({ experiment, start: { input: '' } })).toMatchObject([{ field: 'start.input' }]);
    expect(await preview({ experiment, start: {} })).toMatchObject([{ field: 'start' }]);
  });
});
