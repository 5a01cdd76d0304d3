import { describe, expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { latestBatchScores } from '#lib/experiments/queries.ts';
import { decide } from '#lib/runs/decide.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { PRACTICE_WRITING, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { previewScoring } from './preview-scoring.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const CASES = [{ input: 'Explain our rate limits to a new user' }, { input: 'Explain how to reset a password' }];

async function experimentWithRuns() {
  const context = testContext(db.database());
  const settings = settingsSchema.parse(PRACTICE_WRITING);
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'test', ...settings }));
  const { runIds } = unwrap(
    await startBatch(context, TESTER, id, { cases: CASES }, { idempotencyKey: null, watched: false }),
  );
  for (const runId of runIds) await performRun(testWorkerContext(context), runId);
  return { context, id, runIds, settings };
}

const scoring = (qualityThreshold: number, weights = [1, 1]) => ({
  qualityThreshold,
  criteria: [
    { name: 'clarity', weight: weights[0] ?? 1, threshold: 0 },
    { name: 'completeness', weight: weights[1] ?? 1, threshold: 0 },
  ],
});

describe('previewScoring', () => {
  test('uses the stored scores of the latest batch, with the evaluation in effect for each version', async () => {
    const { context, id, runIds } = await experimentWithRuns();
    const stored = await Promise.all(runIds.map((runId) => loadRun(context.database, runId)));
    const scores = stored.flatMap((run) => run?.history.evaluations.map(({ overallScore }) => overallScore ?? 0) ?? []);
    expect(unwrap(await previewScoring(context, id, scoring(0)))).toMatchObject({
      n: scores.length,
      total: scores.length,
      runs: 2,
      experimentVersion: 1,
      satisfactory: { before: 2, after: scores.length },
    });
    const half = scores.filter((score) => score >= 0.6).length;
    expect(unwrap(await previewScoring(context, id, scoring(0.6)))).toMatchObject({ satisfactory: { after: half } });
  });

  test("uses a reviewer's overall score as a whole, not by criterion", async () => {
    const { context, id, runIds } = await experimentWithRuns();
    unwrap(await decide(context, TESTER, runIds[0] ?? '', { decision: 'override', version: 0, score: 0.99 }));
    const scores = await latestBatchScores(context.database, id);
    expect(scores?.scores.filter(({ isWhole }) => isWhole)).toMatchObject([{ run: 0, version: 0, overallScore: 0.99 }]);
    expect(unwrap(await previewScoring(context, id, scoring(0.98)))).toMatchObject({ satisfactory: { after: 1 } });
  });

  test('uses only the first versions of a large batch and reports the total', async () => {
    const { context, id } = await experimentWithRuns();
    const all = await latestBatchScores(context.database, id);
    const some = await latestBatchScores(context.database, id, 2);
    expect(some).toMatchObject({ total: all?.total });
    expect(some?.scores).toEqual(all?.scores.slice(0, 2));
  });

  test('returns null before anything was evaluated', async () => {
    const context = testContext(db.database());
    const { id } = unwrap(
      await createExperiment(context, TESTER, { name: 'new', ...settingsSchema.parse(PRACTICE_WRITING) }),
    );
    expect(unwrap(await previewScoring(context, id, scoring(0.5)))).toBeNull();
  });

  test.each([
    { name: 'a threshold out of range', input: scoring(2), field: 'qualityThreshold' },
    {
      name: 'an incomplete criterion',
      input: { ...scoring(0.5), qualityThreshold: '0.' },
      field: 'qualityThreshold',
    },
    { name: 'no criteria', input: { qualityThreshold: 0.5, criteria: [] }, field: 'criteria' },
  ])('refuses $name', async ({ input, field }) => {
    const context = testContext(db.database());
    expect(await previewScoring(context, context.newId(), input)).toMatchObject({ ok: false, problem: { field } });
  });
});
