import { describe, expect, test } from 'vitest';
import { evaluatePrompt } from '#lib/evaluators/llm.ts';
import type { ModelOutcome, ModelRequest } from './model-request.ts';
import { CALLS_PER_CASE, CALLS_PER_TRY } from './reused-responses.ts';
import { noAnswer, replied, scoredByNumber } from './scripted-step.test-support.ts';
import { spendOfCall } from './spend.ts';
import { answerCase, tryPromptCase } from './try-prompt-case.ts';
import { tuningSettingsOf } from './tuning/simulated-tunings.test-support.ts';

const SETTINGS = tuningSettingsOf({
  generator: { provider: 'p', model: 'm', instructions: 'Be kind.', temperature: 0.3 },
  evaluatorModel: { provider: 'p', model: 'judge' },
});
const TASK = { input: 'Hello', reference: 'SECRET', tags: [], metadata: { tone: 'dry' } };
const FREE = { attempts: 0, costUsd: 0, tokenUsage: { input: 0, output: 0, total: 0 } };

/** Scores one case with one answer and a judge that returns a number. */
async function tried(answer: ModelOutcome, judgement: ModelOutcome, attempt = 0, repeat = 0, scoresRefusals = false) {
  const requests: ModelRequest[] = [];
  const outcome = await tryPromptCase({
    settings: SETTINGS,
    case: TASK,
    prompt: 'In a {{metadata.tone}} way: {{input}}',
    index: 2,
    attempt,
    repeat,
    scoresRefusals,
    call: async (request) => {
      requests.push(request);
      return request.role === 'try' ? answer : judgement;
    },
    evaluate: async (request) => {
      const criteria = request.settings.criteria.flatMap((one) => (one.evaluator === 'llm' ? [one] : []));
      const asked = await request.ask({
        ...evaluatePrompt({ ...request, criteria, wrong: null }),
        temperature: null,
        maxOutputTokens: null,
        output: null,
      });
      if (!asked.ok) return { ok: false, failure: asked.failure, spend: spendOfCall(asked) };
      const scored = await scoredByNumber({ ...request, output: asked.reply.text });
      const { tokenUsage, costUsd, latencyMs: durationMs } = asked.reply;
      return scored.ok ? { ok: true, evaluation: { ...scored.evaluation, tokenUsage, costUsd, durationMs } } : scored;
    },
  });
  return { outcome, requests };
}

describe('scoring one case with one prompt', () => {
  test('generates as a run would, with the prompt in place of the task', async () => {
    const { requests } = await tried(replied('Hi'), replied('1'));
    expect(requests[0]).toMatchObject({
      role: 'try',
      ordinal: 2 * CALLS_PER_CASE,
      model: { provider: 'p', model: 'm' },
      instructions: 'Be kind.',
      prompt: 'In a dry way: Hello',
      messages: [{ role: 'user', content: 'In a dry way: Hello' }],
      temperature: 0.3,
    });
  });

  test('judges against the input only, so all prompts are compared on the same task', async () => {
    const { requests } = await tried(replied('Hi'), replied('1'));
    expect(requests[1]).toMatchObject({ role: 'judge', ordinal: 2 * CALLS_PER_CASE + 1, model: { model: 'judge' } });
    expect(requests[1]?.prompt).toContain('<task>\nHello\n</task>');
    expect(JSON.stringify(requests)).not.toContain('SECRET');
  });

  test('returns the score and the total spend of its calls', async () => {
    const { outcome } = await tried(replied('<think>Hm.</think>Hi', { finishReason: 'length' }), replied('0.75'));
    expect(outcome).toMatchObject({
      ok: true,
      tried: {
        output: 'Hi',
        finishReason: 'length',
        score: 0.75,
        status: 'scored',
        tokenUsage: { total: 20 },
        paidBefore: false,
      },
    });
  });

  test.each([
    { name: 'both calls were', answer: FREE, judgement: FREE, paidBefore: true },
    { name: 'only the generation call was', answer: FREE, judgement: {}, paidBefore: false },
  ])('was paid for before if $name', async ({ answer, judgement, paidBefore }) => {
    const { outcome } = await tried(replied('Hi', answer), replied('1', judgement));
    expect(outcome).toMatchObject({ tried: { paidBefore } });
  });

  test('leaves an unreadable score empty, not zero; a second attempt uses another judge call', async () => {
    expect((await tried(replied('Hi'), replied('well'))).outcome).toMatchObject({
      tried: { score: null, status: 'partial' },
    });
    const { requests } = await tried(replied('Hi'), replied('1'), 1);
    expect(requests.map(({ ordinal }) => ordinal)).toEqual([2 * CALLS_PER_CASE, 2 * CALLS_PER_CASE + 10]);
  });

  test('uses new calls for the answer and the judge if repeated', async () => {
    const first = 2 * CALLS_PER_CASE + 3 * CALLS_PER_TRY;
    const { requests } = await tried(replied('Hi'), replied('1'), 0, 3);
    expect(requests.map(({ ordinal }) => ordinal)).toEqual([first, first + 1]);
  });

  test.each([
    { name: 'the generator', answer: noAnswer('refused'), judgement: replied('1'), role: 'generate', tokens: 5 },
    { name: 'the judge', answer: replied('Hi'), judgement: noAnswer('timeout'), role: 'evaluate', tokens: 15 },
  ])('fails with the spend so far if $name gives no response', async ({ answer, judgement, role, tokens }) => {
    const { outcome } = await tried(answer, judgement);
    expect(outcome).toMatchObject({ ok: false, role, spend: { tokenUsage: { total: tokens } } });
  });

  test('gives a refused answer the score 0 without a judge if requested', async () => {
    const { outcome, requests } = await tried(noAnswer('refused'), replied('1'), 0, 0, true);
    expect(requests.map(({ role }) => role)).toEqual(['try']);
    expect(outcome).toMatchObject({
      ok: true,
      tried: { output: '', finishReason: 'content-filter', score: 0, satisfactory: false, tokenUsage: { total: 5 } },
    });
    expect(outcome.ok && outcome.tried.feedback).toContain('no answer');
    expect((await tried(noAnswer('network'), replied('0'), 0, 0, true)).outcome.ok).toBe(false);
    expect((await tried(replied('Hi'), noAnswer('refused'), 0, 0, true)).outcome.ok).toBe(false);
  });
});

const SET = { headers: { 'x-account': 'ours' }, providerOptions: { p: { store: true } }, seed: 7 };

describe('a variation with another provider', () => {
  test.each([
    ['a single call', { type: 'single' as const }],
    ['an agent', { type: 'react' as const, tools: [] }],
  ])('sends %s without the headers and provider options of the generator', async (_name, base) => {
    const settings = tuningSettingsOf({
      generator: { provider: 'p', model: 'm', base },
      modelSettings: { generate: SET },
    });
    const at = async (provider: string) => {
      const requests: ModelRequest[] = [];
      const parameters = { model: { provider, model: 'm' } };
      const call = async (request: ModelRequest) => {
        requests.push(request);
        return replied('Hi');
      };
      await answerCase({ settings, case: TASK, prompt: '{{input}}', parameters, call }, 0);
      return requests.map(({ model, sampling }) => ({ provider: model.provider, sampling }));
    };
    expect(await at('p')).toEqual([{ provider: 'p', sampling: SET }]);
    expect(await at('other')).toEqual([{ provider: 'other', sampling: { seed: 7 } }]);
  });
});
