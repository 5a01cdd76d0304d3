import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { rejudged } from '#lib/statistics/rescore-report.ts';
import { queuedRun, storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { whatIf } from '#lib/what-if/what-if.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { loadRun } from './load-run.ts';
import { findRun } from './queries.ts';

const db = useTestDatabase();
const PLAIN: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'quality', evaluator: 'llm' }],
  maxIterations: 3,
  convergence: null,
  revision: { strategy: 'full_rewrite' },
};

/** Returns a fake model that generates these texts in turn. Its judge gives the number after "worth" in the text, else 0.4. */
function scripted(texts: string[]) {
  const judged: string[] = [];
  let made = 0;
  const call: ModelCaller = async ({ role, prompt }) => {
    if (role === 'evaluate') judged.push(prompt);
    const score = Number(/<candidate>[^<]*worth (0\.\d)/.exec(prompt)?.[1] ?? 0.4);
    const text =
      role === 'evaluate'
        ? prompt.includes('<first>')
          ? JSON.stringify({ winner: 'neither', reason: '', issues: { first: [], second: [] } })
          : JSON.stringify({ criteria: [{ name: 'quality', score, issues: [`Dry ${score}`] }], confidence: 0.9 })
        : role === 'reflect'
          ? JSON.stringify({ summary: 'So.', issues: [], suggestions: [] })
          : (texts[Math.min(made++, texts.length - 1)] ?? '');
    const response = { text, tokenUsage: { input: 200, output: 100, total: 300 }, costUsd: 0.01, latencyMs: 300 };
    return { ok: true, reply: { ...response, attempts: 1, warnings: [], finishReason: 'stop' } };
  };
  return { judged, call };
}

async function begun(settings: Partial<ExperimentSettingsInput>, texts: string[]) {
  const context = testContext(db.database());
  const model = scripted(texts);
  const runId = await queuedRun(context, { ...PLAIN, ...settings }, { input: 'Write about the tide.' });
  const worker = testWorkerContext(context, model.call);
  const perform = async () => {
    await performRun(worker, runId);
    return storedRun(db.database(), runId);
  };
  return { context, runId, model, perform };
}

describe('reuse of scores for identical texts', () => {
  test('an identical revision is not judged again, costs nothing, and records the source version', async () => {
    const { perform, model, runId } = await begun({}, ['A worth 0.5', 'B worth 0.6', 'A worth 0.5', 'A worth 0.5 ']);
    const { history, run } = await perform();
    expect(history.versions).toHaveLength(4);
    expect(model.judged).toHaveLength(3);
    expect(history.evaluations.map(({ overallScore, copiedFrom }) => [overallScore, copiedFrom ?? null])).toEqual([
      [0.5, null],
      [0.6, null],
      [0.5, 0],
      // A trailing space makes it a different text.
      [0.5, null],
    ]);
    expect(history.evaluations[2]).toMatchObject({
      costUsd: 0,
      tokenUsage: { total: 0 },
      issues: [{ text: 'Dry 0.5' }],
    });
    expect(run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
    const found = await findRun(db.database(), runId);
    expect(found?.record.versions.map(({ evaluations }) => evaluations[0]?.copiedFrom)).toEqual([null, null, 0, null]);
  });

  test('stop rules count a copied score like any other', async () => {
    const { perform, model } = await begun({ maxIterations: 9, convergence: {} }, ['A worth 0.5']);
    expect((await perform()).run).toMatchObject({ convergenceReason: 'semantic_stability' });
    expect(model.judged).toHaveLength(1);
  });

  test('an identical attempt copies the score too', async () => {
    const { perform, model } = await begun({ mode: 'retry', maxAttempts: 2 }, ['A worth 0.5']);
    expect((await perform()).history.evaluations.map(({ copiedFrom }) => copiedFrom ?? null)).toEqual([null, 0]);
    expect(model.judged).toHaveLength(1);
  });
});

describe('human scores', () => {
  test('an override applies to an identical text, and what-if keeps it', async () => {
    const { perform, model, context, runId } = await begun(
      { callbacks: { pause: 'before_revision' }, maxIterations: 2, qualityThreshold: 0.9 },
      ['A worth 0.5'],
    );
    await perform();
    const pauseId = async () => (await loadRun(db.database(), runId))?.history.pause?.pauseId;
    unwrap(
      await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.75, reason: 'I like it' }),
    );
    unwrap(await decide(context, TESTER, runId, { decision: 'continue', pauseId: await pauseId() }));
    const { history, settings } = await perform();
    expect(model.judged).toHaveLength(1);
    expect(history.evaluations.at(-1)).toMatchObject({
      version: 1,
      by: 'person',
      overallScore: 0.75,
      copiedFrom: 0,
      costUsd: 0,
    });
    const moved = { ...settings, qualityThreshold: 0.7 };
    expect(rejudged(history, settings, moved).evaluations.at(-1)).toMatchObject({
      overallScore: 0.75,
      satisfactory: true,
    });
    expect(whatIf(history, settings, settings, null).end).toMatchObject({ type: 'waits', version: 1 });
  });

  test('a human score is not requested again for an identical text', async () => {
    const criteria: ExperimentSettingsInput['criteria'] = [
      { name: 'quality', evaluator: 'llm' },
      { name: 'taste', evaluator: 'human' },
    ];
    const { perform, model, context, runId } = await begun({ criteria, maxIterations: 1 }, ['A worth 0.5']);
    const { history } = await perform();
    const pauseId = history.pause?.pauseId;
    unwrap(await decide(context, TESTER, runId, { decision: 'score', pauseId, criterion: 'taste', score: 0.3 }));
    const { run, history: after } = await perform();
    expect(run.status).toBe('finished');
    expect(after.evaluations.at(-1)).toMatchObject({ criteriaScores: { quality: 0.5, taste: 0.3 }, copiedFrom: 0 });
    expect(model.judged).toHaveLength(1);
  });

  test('a score given to the copy is not marked as copied', async () => {
    const { perform, context, runId } = await begun({ maxIterations: 1 }, ['A worth 0.5']);
    await perform();
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 1, score: 1 }));
    const { history } = await perform();
    expect(history.evaluations.at(-1)).toMatchObject({ by: 'person', overallScore: 1 });
    expect(history.evaluations.map(({ copiedFrom }) => copiedFrom ?? null)).toEqual([null, 0, null]);
  });
});

describe('comparisons with the previous version', () => {
  const comparing = (against: 'previous' | 'best' | 'reference') => ({
    criteria: [
      { name: 'quality', evaluator: 'llm' as const },
      { name: 'better', evaluator: 'comparison' as const, config: { against } },
    ],
    maxIterations: 3,
  });
  test('are judged again if the previous text differs, and reused if it is the same', async () => {
    const { perform } = await begun(comparing('previous'), [
      'A worth 0.5',
      'B worth 0.6',
      'A worth 0.5',
      'B worth 0.6',
    ]);
    const { history } = await perform();
    // v0 has no predecessor and v2 follows B; v1 and v3 both follow A.
    expect(history.evaluations.map(({ copiedFrom }) => copiedFrom ?? null)).toEqual([null, null, null, 1]);
  });
});
