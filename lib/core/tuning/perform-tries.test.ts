import { describe, expect, test } from 'vitest';
import type { Evaluate } from '#lib/core/evaluate-request.ts';
import type { History } from '../history.ts';
import type { ModelOutcome, ModelRequest } from '../model-request.ts';
import { CALLS_PER_CASE } from '../reused-responses.ts';
import { noAnswer, replied, scoredByNumber, scripted } from '../scripted-step.test-support.ts';
import type { ExperimentSettingsInput } from '../settings.ts';
import type { StepContext } from '../step-context.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import type { TryStep } from './due-try.ts';
import { scoreExamples, TRIES_AT_A_TIME } from './perform-tries.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const FIXED: ExperimentSettingsInput['criteria'] = [
  { name: 'right', evaluator: 'reference', config: { match: 'exact' } },
];

function opened(cases: number, changes: Partial<ExperimentSettingsInput> = {}) {
  const settings = tuningSettingsOf({ criteria: FIXED, ...changes });
  const history = tuningHistory(settings, { train: cases }, [{}]);
  const positions = history.cases.map(({ position }) => position);
  const step: TryStep = { type: 'try', parts: [{ version: 0, positions }], purpose: 'validation' };
  return { settings, history, step, positions };
}

async function triesOf(
  { settings, history, step }: Pick<ReturnType<typeof opened>, 'settings' | 'history' | 'step'>,
  answer: (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>,
) {
  const { context, requests } = scripted(history, settings, answer);
  const result = await scoreExamples(step, context);
  const tries = result?.type === 'tries' ? result.tries : [];
  return { result, tries, requests, positions: tries.map(({ position }) => position) };
}

const caseIndexOf = ({ ordinal }: ModelRequest) => Math.floor(ordinal / CALLS_PER_CASE);

/** Adds the spend of an earlier step, so that estimates use it. */
function paid(history: History): History {
  const [, ...rest] = history.cases;
  const [first] = history.cases;
  if (first === undefined) return history;
  const settings = tuningSettingsOf({ criteria: FIXED });
  const before = tuningHistory(settings, { train: 1 + rest.length }, [{ scores: { 0: 0 } }]);
  const tries = before.tries.map((one) => ({ ...one, tokenUsage: { input: 8, output: 2, total: 10 }, costUsd: 0.01 }));
  return { ...before, tries };
}

describe('scoring step', () => {
  test('scores every case in case order, in any order of responses', async () => {
    const { tries, positions, requests } = await triesOf(opened(5), async (request) => {
      for (let turn = caseIndexOf(request); turn < 5; turn++) await Promise.resolve();
      return replied(String(caseIndexOf(request) / 4));
    });
    expect(positions).toEqual([0, 1, 2, 3, 4]);
    expect(tries.map(({ score }) => score)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(tries[3]).toMatchObject({
      version: 0,
      attempt: 0,
      output: '0.75',
      satisfactory: false,
      paidBefore: false,
      step: 1,
    });
    expect(requests.map(({ role, ordinal }) => [role, ordinal])).toEqual(
      [0, 1, 2, 3, 4].map((index) => ['try', index * CALLS_PER_CASE]),
    );
    expect(requests[2]?.prompt).toBe('Prompt 0: input of case 2');
  });

  test.each([
    [true, { train: true, validation: true, held_out: false }],
    [false, { train: false, validation: false, held_out: false }],
  ])(
    'with references %s: evaluators may quote them to models, but never those of held-out cases',
    async (references, expected) => {
      const settings = tuningSettingsOf({ criteria: FIXED, tune: { references } });
      const history = tuningHistory(settings, { train: 1, validation: 1, held_out: 1 }, [{}]);
      const seen: Record<string, boolean | undefined> = {};
      const evaluate: Evaluate = (request) => {
        const { split } = history.cases.find(({ input }) => input === request.case.input) ?? { split: 'none' };
        seen[split] = request.mayQuoteReference;
        return scoredByNumber(request);
      };
      const { context } = scripted(history, settings, () => replied('1'), evaluate);
      await scoreExamples(
        { type: 'try', parts: [{ version: 0, positions: [0, 1, 2] }], purpose: 'validation' },
        context,
      );
      expect(seen).toEqual(expected);
    },
  );

  test('limits concurrent scoring', async () => {
    let underWay = 0;
    let most = 0;
    await triesOf(opened(50), async () => {
      most = Math.max(most, ++underWay);
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      underWay--;
      return replied('1');
    });
    expect(most).toBe(TRIES_AT_A_TIME);
  });

  test('starts with few cases under a cost budget if the cost per case is unknown', async () => {
    const begunAtFirst = async (budget: ExperimentSettingsInput['budget']) => {
      let begun = 0;
      let atFirst = 0;
      await triesOf(opened(50, { budget }), async () => {
        begun++;
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        atFirst ||= begun;
        return replied('1');
      });
      return atFirst;
    };
    expect(await begunAtFirst({ maxCostUsd: 100 })).toBe(8);
    expect(await begunAtFirst({ maxCalls: 100 })).toBe(TRIES_AT_A_TIME);
  });

  test.each([
    ['as many as fit by their price', 0.035, 0.01, 3],
    ['one if not even that one fits by its price', 0.001, 0.01, 1],
    ['8 if more fit by their price', 100, 0.01, 8],
    ['8 if they are free', 0.01, 0, 8],
    ['8 without a price', 0.01, null, 8],
  ])('before the cost of a case is known, starts %s', async (_name, maxCostUsd, price, expected) => {
    const { settings, history, step } = opened(50, { budget: { maxCostUsd } });
    let begun = 0;
    let atFirst = 0;
    const { context } = scripted(history, settings, async () => {
      begun++;
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
      atFirst ||= begun;
      return replied('1');
    });
    const sizes: { input: number; output: number }[] = [];
    const priceOf: StepContext['priceOf'] = async (_model, size) => {
      sizes.push(size);
      return price;
    };
    await scoreExamples(step, { ...context, priceOf });
    expect(atFirst).toBe(expected);
    expect(sizes).toEqual([{ input: Math.ceil('Prompt 0: {{input}}input of case 49'.length / 4), output: 256 }]);
  });

  test.each<{ name: string; budget: ExperimentSettingsInput['budget']; tried: number }>([
    { name: 'for calls', budget: { maxCalls: 6 }, tried: 6 },
    { name: 'for tokens', budget: { maxTokens: 60 }, tried: 5 },
    { name: 'for cost', budget: { maxCostUsd: 0.04 }, tried: 3 },
    { name: 'that is large', budget: { maxCalls: 100 }, tried: 15 },
  ])('starts no case that would exceed a budget $name', async ({ budget, tried }) => {
    const open = opened(16, { budget });
    const history = paid(open.history);
    const step = { ...open.step, parts: [{ version: 0, positions: open.positions.slice(1) }] };
    const { tries, requests } = await triesOf({ ...open, history, step }, () => replied('1'));
    expect(tries).toHaveLength(tried);
    expect(requests).toHaveLength(tried);
  });

  test('a case scored again uses new judge calls and the same generation call', async () => {
    const settings = tuningSettingsOf();
    const history = tuningHistory(settings, { train: 1 }, [{ scores: { 0: null } }]);
    const { context, requests } = scripted(
      history,
      settings,
      () => replied('1'),
      async ({ ask, output }) => {
        const outcome = await ask({
          instructions: '',
          prompt: output,
          temperature: null,
          maxOutputTokens: null,
          output: null,
        });
        if (outcome.ok) throw new Error('the judge is away here');
        return { ok: false, failure: outcome.failure, spend: { ...history.lostSpend } };
      },
    );
    context.call = async (_step, request) => {
      requests.push(request);
      return request.role === 'judge' ? noAnswer('timeout') : replied('1');
    };
    const step: TryStep = { type: 'try', parts: [{ version: 0, positions: [0] }], purpose: 'validation' };
    const result = await scoreExamples(step, context);
    expect(requests.map(({ role, ordinal }) => [role, ordinal])).toEqual([
      ['try', 0],
      ['judge', 10],
    ]);
    expect(result).toMatchObject({
      type: 'failure',
      failure: { role: 'evaluate', cause: 'timeout', tokenUsage: { total: 15 } },
    });
  });
});

describe('call without a response', () => {
  test('keeps scored cases, counts failed ones as paid and due again, and starts no more', async () => {
    const { result, positions } = await triesOf(opened(50), (request) =>
      caseIndexOf(request) === 3 ? noAnswer('unavailable') : replied('1'),
    );
    const begun = Array.from({ length: TRIES_AT_A_TIME }, (_try, index) => index);
    expect(positions).toEqual(begun.filter((index) => index !== 3));
    expect(result).toMatchObject({ type: 'tries', lost: { tokenUsage: { total: 5 } } });
  });

  test('fails the step if it was the only case', async () => {
    const { result } = await triesOf(opened(1), () => noAnswer('unauthorized'));
    expect(result).toMatchObject({
      type: 'failure',
      failure: { kind: 'model_failed', cause: 'unauthorized', role: 'generate', tokenUsage: { total: 5 } },
    });
  });

  test('gives a refused answer the score 0, so that it does not end the run', async () => {
    const { tries } = await triesOf(opened(3), (request) =>
      caseIndexOf(request) === 1 ? noAnswer('refused') : replied('1'),
    );
    expect(tries.map(({ output, score }) => [output, score])).toEqual([
      ['1', 1],
      ['', 0],
      ['1', 1],
    ]);
  });

  test('returns null if all calls were aborted', async () => {
    expect((await triesOf(opened(3), () => noAnswer('aborted'))).result).toBeNull();
  });

  test('keeps the completed calls if some were aborted', async () => {
    const { positions } = await triesOf(opened(3), (request) =>
      caseIndexOf(request) === 1 ? noAnswer('aborted') : replied('1'),
    );
    expect(positions).toEqual([0, 2]);
  });
});

test('reused paid responses do not count as calls', async () => {
  const open = opened(16, { budget: { maxCalls: 9 } });
  const history = { ...paid(open.history), calls: 1 };
  const step = { ...open.step, parts: [{ version: 0, positions: open.positions.slice(1) }] };
  const free = { attempts: 0, tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0 };
  const { tries } = await triesOf({ ...open, history, step }, () => replied('1', free));
  expect(tries).toHaveLength(15);
  expect(tries.every(({ paidBefore, tokenUsage }) => paidBefore && tokenUsage.total === 0)).toBe(true);
});
