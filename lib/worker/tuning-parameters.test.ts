import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findPrompt } from '#lib/prompts/queries.ts';
import { saveRunPrompt } from '#lib/prompts/save-run-prompt.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { TESTER, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import {
  casesNamed,
  performedTuning,
  promptKnowing,
  type ScriptedResponse,
  scriptedTuner,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
const CASES = [
  ...casesNamed('train', 'a', 'b', 'c'),
  ...casesNamed('validation', 'p', 'q'),
  ...casesNamed('held_out', 'x'),
];
const STRONGER = { provider: 'practice', model: 'practice-2' };

async function tuned(
  changes: Partial<ExperimentSettingsInput>,
  proposals: string[],
  says: (request: ModelRequest) => ScriptedResponse,
  cases = CASES,
) {
  const tuner = scriptedTuner(proposals, says);
  const settings = tuningSettings({ ...changes, tune: { maxRepeats: 1, minibatchSize: 3, ...changes.tune } });
  const made = await performedTuning(db.database(), settings, tuner, cases);
  const stored = await made.load();
  return { ...made, ...stored, asked: tuner.asked, summary: tuningSummary(stored.history, stored.settings) };
}

/** Answers some cases correctly at a low temperature, regardless of the prompt. */
function calm(...cases: string[]) {
  return ({ role, temperature, prompt }: ModelRequest): ScriptedResponse =>
    role === 'try' && temperature === 0.1 && cases.some((one) => prompt.includes(`Item: ${one}.`)) ? 'yes' : null;
}

describe('a parameter search', () => {
  test('evaluates and validates the best prompt at another temperature, and derives proposals with that temperature', async () => {
    const proposal = promptKnowing('b', 'q');
    const { run, history, asked, summary } = await tuned(
      { tune: { parameters: { temperatures: [0.1] } } },
      [proposal],
      calm('a', 'p', 'x'),
    );
    expect(history.versions.map(({ output, parents }) => [output, parents])).toEqual([
      [promptKnowing(), []],
      [promptKnowing(), [0]],
      [proposal, [1]],
    ]);
    expect(history.evaluations.map(({ overallScore }) => overallScore)).toEqual([0, 0.5, 1]);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: 2 });
    expect(summary.versions.map(({ kind, parameters }) => [kind, parameters])).toEqual([
      ['original', null],
      ['variation', { temperature: 0.1 }],
      ['proposal', { temperature: 0.1 }],
    ]);
    const ofProposal = asked.filter(({ role, prompt }) => role === 'try' && prompt.includes('Known: b q.'));
    expect(new Set(ofProposal.map(({ temperature }) => temperature))).toEqual(new Set([0.1]));
    // The same text is evaluated again because it is another candidate.
    const ofText = asked.filter(({ role, prompt }) => role === 'try' && prompt.includes('Item: p. Known: .'));
    expect(ofText.map(({ temperature }) => temperature)).toEqual([null, 0.1]);
    // The prompt of the reflection model contains the outputs of the variation.
    expect(asked.find(({ role }) => role === 'reflect')).toMatchObject({
      temperature: null,
      prompt: expect.stringContaining('{"input":"a","output":"yes"'),
    });
  });

  test('rejects a model that is no better, and keeps the models of judges and proposals', async () => {
    const { history, asked, summary } = await tuned(
      {
        criteria: [{ name: 'good', threshold: 0, evaluator: 'llm' }],
        maxIterations: 2,
        tune: { parameters: { models: [STRONGER] } },
      },
      [promptKnowing('a', 'b')],
      ({ role, prompt }) => (role === 'judge' ? JSON.stringify(judgement(prompt.includes('yes') ? 1 : 0)) : null),
    );
    expect(summary.versions.map(({ kind, state }) => [kind, state])).toEqual([
      ['original', 'given'],
      ['variation', 'rejected'],
      ['proposal', 'candidate'],
    ]);
    expect(history.versions[2]?.parents).toEqual([0]);
    const modelsOf = (role: string) =>
      new Set(asked.flatMap((request) => (request.role === role ? [request.model.model] : [])));
    expect(modelsOf('try')).toEqual(new Set(['practice-1', 'practice-2']));
    expect(modelsOf('judge')).toEqual(new Set(['practice-1']));
    expect(modelsOf('reflect')).toEqual(new Set(['practice-1']));
  });

  test('alternates with proposals, and continues through its lists when no proposals are left', async () => {
    const { summary, run } = await tuned(
      {
        prompts: { generate: promptKnowing('a', 'b') },
        maxIterations: 20,
        tune: { strategy: 'few_shot', demonstrations: 1, parameters: { models: [STRONGER], temperatures: [0.1, 1] } },
      },
      [],
      () => null,
    );
    // A set that scores no higher does not become the best prompt, so only the first prompt is varied.
    expect(summary.versions.map(({ kind }) => kind)).toEqual([
      'original',
      ...['variation', 'examples', 'variation', 'examples', 'variation'],
    ]);
    const tried = summary.versions.flatMap(({ kind, parameters }) => (kind === 'variation' ? [parameters] : []));
    expect(tried).toEqual([{ model: STRONGER }, { temperature: 0.1 }, { temperature: 1 }]);
    expect(run.convergenceReason).toBe('nothing_to_mend');
  });

  test('holds back a failing model with the reason, calls it once, and continues without it', async () => {
    const { run, asked, summary } = await tuned(
      { maxIterations: 4, tune: { parameters: { models: [STRONGER] } } },
      [promptKnowing('a', 'p'), promptKnowing('a', 'b', 'p', 'q')],
      ({ model }) => (model.model === STRONGER.model ? { fails: 'unavailable' } : null),
    );
    expect(summary.versions.map(({ kind, state }) => [kind, state])).toEqual([
      ['original', 'given'],
      ['variation', 'held_back'],
      ['proposal', 'candidate'],
      ['proposal', 'candidate'],
    ]);
    expect(summary.versions[1]?.problems).toEqual([
      { kind: 'model_failed', text: 'The model is down. Try again later.' },
    ]);
    expect(asked.filter(({ model }) => model.model === STRONGER.model)).toHaveLength(1);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: 3 });
  });

  test('makes no extra call for a model that responds', async () => {
    const { asked, history } = await tuned(
      { maxIterations: 1, tune: { parameters: { models: [STRONGER] } } },
      [],
      () => null,
    );
    expect(asked.filter(({ model }) => model.model === STRONGER.model)).toHaveLength(3);
    expect(history.tries.filter(({ version }) => version === 1)).toHaveLength(3);
  });

  test('saves the parameters in the setup of a saved prompt', async () => {
    const { runId, context } = await tuned(
      { maxIterations: 1, tune: { parameters: { temperatures: [0.1] } } },
      [],
      calm('a', 'p', 'q', 'x'),
    );
    const input = { version: 1, name: 'calm', message: 'At 0.1' };
    expect(unwrap(await saveRunPrompt(context, TESTER, runId, input))).toMatchObject({ name: 'calm', version: 1 });
    const prompt = await findPrompt(db.database(), 'calm');
    expect(prompt?.setup).toMatchObject({ temperature: 0.1, models: [{ model: 'practice-1' }] });
  });

  test('rejects an unknown provider with its field', async () => {
    const { context } = await tuned({ maxIterations: 0 }, [], () => null);
    const models = [STRONGER, { provider: 'nowhere', model: 'm' }];
    const made = await createExperiment(context, TESTER, {
      name: 'unknown',
      ...tuningSettings({ tune: { parameters: { models } } }),
    });
    expect(made).toMatchObject({ ok: false, problem: { field: 'tune.parameters.models.1.provider' } });
  });
});

function judgement(score: number) {
  return { criteria: [{ name: 'good', score, reason: '' }], issues: [], suggestions: [], confidence: 1, feedback: '' };
}
