import { describe, expect, test } from 'vitest';
import { createEngine } from '#lib/core/engine.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { tryPromptCase } from '#lib/core/try-prompt-case.ts';
import { callsByRole } from '#lib/estimates/calls-of-run.ts';
import { evaluateAlone } from '#lib/evaluators/evaluate-output.ts';
import { tuningSettingsProblem } from '#lib/experiments/tuning-settings-problem.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { queuedRun, storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { whatIf } from '#lib/what-if/what-if.ts';
import { performRescores } from '#lib/worker/perform-rescores.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { findRun } from './queries.ts';
import { rescoreVersion } from './rescores.ts';

const db = useTestDatabase();
const PLAIN: ExperimentSettingsInput = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'quality', evaluator: 'llm' }],
  maxIterations: 0,
  qualityThreshold: 0.8,
};

type JudgeResponse = { score: number; confidence: number | null };

/** Returns a fake judge that responds with `first`, and with `afresh` if the prompt requests a second judgement after low confidence. */
function scripted(first: JudgeResponse, afresh: JudgeResponse = first) {
  const asked: string[] = [];
  const call: ModelCaller = async ({ role, prompt }) => {
    if (role === 'evaluate') asked.push(prompt);
    const answer = prompt.includes('evaluation of this candidate had low confidence') ? afresh : first;
    const judged = {
      criteria: [{ name: 'quality', score: answer.score, reason: 'Hard to say.' }],
      confidence: answer.confidence,
    };
    const text = role === 'evaluate' ? JSON.stringify(judged) : 'The tide.';
    const response = { text, tokenUsage: { input: 200, output: 100, total: 300 }, costUsd: 0.01, latencyMs: 300 };
    return { ok: true, reply: { ...response, attempts: 1, warnings: [], finishReason: 'stop' } };
  };
  return { asked, call };
}

async function begun(
  confidence: object,
  model: ReturnType<typeof scripted>,
  more: Partial<ExperimentSettingsInput> = {},
) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, { ...PLAIN, ...more, evaluation: { confidence } }, { input: 'Write.' });
  const worker = testWorkerContext(context, model.call);
  const perform = async () => {
    await performRun(worker, runId);
    return storedRun(db.database(), runId);
  };
  return { context, worker, runId, perform };
}

const UNSURE: JudgeResponse = { score: 0.6, confidence: 0.3 };

describe('a judge with low confidence', () => {
  test('its score counts by default', async () => {
    const model = scripted(UNSURE);
    const { perform } = await begun({}, model);
    expect((await perform()).history.evaluations).toMatchObject([{ overallScore: 0.6, confidence: 0.3 }]);
    expect(model.asked).toHaveLength(1);
  });

  test.each<[string, JudgeResponse, { score: number; confidence: number }]>([
    [
      'and a higher confidence counts the second judgement',
      { score: 0.9, confidence: 0.8 },
      { score: 0.9, confidence: 0.8 },
    ],
    ['and a lower confidence counts the first one', { score: 0.9, confidence: 0.1 }, { score: 0.6, confidence: 0.3 }],
    ['and an equal confidence counts the first one', { score: 0.9, confidence: 0.3 }, { score: 0.6, confidence: 0.3 }],
  ])('is asked once more, %s', async (_name, afresh, { score, confidence }) => {
    const model = scripted(UNSURE, afresh);
    const { perform } = await begun({ below: 0.5 }, model);
    const { run, history } = await perform();
    expect(model.asked).toHaveLength(2);
    expect(history.evaluations).toHaveLength(1);
    expect(history.evaluations[0]).toMatchObject({ overallScore: score, confidence, costUsd: 0.02 });
    expect(history.evaluations[0]?.detail).toContain('Judged twice, because the confidence was 0.3');
    expect(run.convergenceReason).toBe(score >= 0.8 ? 'quality_met' : 'max_iterations');
  });

  test.each<[string, JudgeResponse]>([
    ['a confidence equal to the minimum', { score: 0.6, confidence: 0.5 }],
    ['a missing confidence', { score: 0.6, confidence: null }],
  ])('%s is accepted', async (_name, response) => {
    const model = scripted(response);
    const { perform } = await begun({ below: 0.5 }, model);
    expect((await perform()).history.evaluations[0]).toMatchObject({ overallScore: 0.6 });
    expect(model.asked).toHaveLength(1);
  });

  test('its score is proposed to a reviewer, who gives the final score', async () => {
    const { perform, context, runId } = await begun({ below: 0.5, action: 'ask' }, scripted(UNSURE));
    const { run, history, settings } = await perform();
    expect(run.status).toBe('waiting');
    expect(history.pause?.asks).toEqual([{ criterion: 'quality', question: null, proposed: 0.6 }]);
    expect(history.evaluations).toMatchObject([
      { status: 'partial', criteriaScores: { quality: null }, proposed: { quality: 0.6 } },
    ]);
    const found = await findRun(db.database(), runId);
    expect(found?.record.versions[0]?.evaluations[0]).toMatchObject({
      proposed: { quality: 0.6 },
      reasons: { quality: expect.stringContaining('the judge proposes 0.6 with a confidence of 0.3. Hard to say.') },
    });
    expect(whatIf(history, settings, settings, null).end).toMatchObject({ type: 'waits', version: 0 });
    const pauseId = history.pause?.pauseId;
    unwrap(await decide(context, TESTER, runId, { decision: 'score', pauseId, score: 0.9 }));
    const after = await perform();
    expect(after.run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
    expect(after.history.evaluations.at(-1)).toMatchObject({ by: 'person', overallScore: 0.9 });
  });

  test('human criteria are requested at the same pause', async () => {
    const criteria: ExperimentSettingsInput['criteria'] = [
      { name: 'quality', evaluator: 'llm' },
      { name: 'taste', evaluator: 'human' },
    ];
    const { perform } = await begun({ below: 0.5, action: 'ask' }, scripted(UNSURE), { criteria });
    expect((await perform()).history.pause?.asks.map(({ criterion }) => criterion)).toEqual(['quality', 'taste']);
  });

  test('counts as unscored: is judged once more, then the run fails', async () => {
    const model = scripted(UNSURE);
    const { perform } = await begun({ below: 0.5, action: 'unscored' }, model);
    const { run, history } = await perform();
    expect(run).toMatchObject({ status: 'failed', convergenceReason: 'evaluation_failed' });
    expect(history.evaluations).toMatchObject([{ overallScore: null }, { overallScore: null }]);
    expect(history.evaluations[0]?.reasons.quality).toBe(
      'Not scored: the judge gave 0.6 with a confidence of 0.3, below 0.5.',
    );
  });

  test("a re-score keeps the judge's score despite low confidence", async () => {
    const model = scripted(UNSURE);
    const { perform, context, worker, runId } = await begun({ below: 0.5, action: 'ask' }, model);
    await perform();
    unwrap(await rescoreVersion(context, TESTER, runId, 0, { times: 1 }));
    await performRescores(worker, runId);
    const [rescore] = await db.database().prisma.rescore.findMany({ where: { runId } });
    expect(rescore).toMatchObject({ overallScore: 0.6 });
  });
});

describe('no reviewer available', () => {
  const settings = (mode: 'tune' | 'revise', action: 'ask' | 'rejudge' | 'unscored') =>
    settingsSchema.parse({
      ...PLAIN,
      mode,
      prompts: { generate: 'Sort {{input}}' },
      evaluation: { confidence: { below: 0.5, action } },
    });
  test('tuning rejects the action ask and takes rejudge and unscored', () => {
    expect(tuningSettingsProblem(settings('tune', 'ask'))).toMatchObject({
      problem: { field: 'evaluation.confidence.action', message: expect.stringContaining('rejudge or unscored') },
    });
    for (const action of ['rejudge', 'unscored'] as const)
      expect(tuningSettingsProblem(settings('tune', action))).toBeNull();
    expect(tuningSettingsProblem(settings('revise', 'ask'))).toBeNull();
  });

  test.each([
    ['rejudge', { score: 0.9, status: 'scored' }, 2],
    ['unscored', { score: null, status: 'partial' }, 1],
  ] as const)('a case of a tuning run: %s', async (action, expected, judged) => {
    const model = scripted(UNSURE, { score: 0.9, confidence: 0.9 });
    const outcome = await tryPromptCase({
      settings: settings('tune', action),
      case: { input: 'Mail', reference: null, tags: [], metadata: {} },
      prompt: 'Sort {{input}}',
      index: 0,
      attempt: 0,
      // The fake judge responds to the role `evaluate`, which it has in a run.
      call: (request) =>
        model.call(request.role === 'judge' ? { ...request, role: 'evaluate' } : request, {
          signal: new AbortController().signal,
          onText: null,
        }),
      evaluate: evaluateAlone,
    });
    expect(outcome).toMatchObject({ ok: true, tried: expected });
    expect(model.asked).toHaveLength(judged);
  });

  test('the engine rejects the action ask', () => {
    expect(() =>
      createEngine({
        settings: {
          generator: { provider: 'practice', model: 'practice-1' },
          evaluation: { confidence: { below: 0.5, action: 'ask' } },
          criteria: [{ name: 'a', validate: () => 1 }],
        },
        ask: async () => '',
      }),
    ).toThrow('evaluation.confidence.action: an engine cannot ask a person');
  });

  test('the estimate includes at most one second judgement per version', () => {
    const calls = (action: 'ask' | 'rejudge') =>
      callsByRole({ ...settings('revise', action), maxIterations: 3 }, null).get('evaluate');
    expect(calls('ask')).toEqual({ lowest: 1, highest: 4 });
    expect(calls('rejudge')).toEqual({ lowest: 1, highest: 8 });
  });
});
