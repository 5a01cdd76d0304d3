import { beforeAll, describe, expect, test } from 'vitest';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelFailure } from '#lib/providers/call/model-caller.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { evaluatePrompt } from './evaluate-prompt.ts';
import type { EvaluationEvent } from './evaluation-schema.ts';
import { planEvaluation } from './plan-evaluation.ts';
import { createPrompt } from './prompt-library.ts';

const db = useTestDatabase();
const sums = Array.from({ length: 6 }, (_, at) => ({
  input: `What is ${at} + 4?`,
  reference: String(at + 4),
  tags: at === 5 ? ['held_out'] : ['train'],
}));
const exact = { name: 'exact', evaluator: 'reference', config: { match: 'exact', normalize: 'trim' } };
const judged = { name: 'clear', evaluator: 'llm' };

let datasetId: string;
beforeAll(async () => {
  datasetId = unwrap(await createDataset(testContext(db.database()), TESTER, { name: 'Sums', cases: sums })).id;
});

let count = 0;
/** Identical prompts share cached responses, so each prompt has its own text. */
const wordsOf = (name: string) => `Add for ${name}: {{input}}`;
/** Creates a prompt on the sums dataset and returns a function that evaluates it. */
async function newPrompt(criteria: object[] = [exact], setup: object = {}) {
  const context = testContext(db.database());
  const name = `sums-${count++}`;
  unwrap(await createPrompt(context, TESTER, { name, text: wordsOf(name), setup: { datasetId, criteria, ...setup } }));
  return async (input: object, call: ModelCaller, { signal = new AbortController().signal, onEvent = ignore } = {}) => {
    const events: EvaluationEvent[] = [];
    const plan = unwrap(await planEvaluation(context, name, input));
    await evaluatePrompt(context, plan, {
      signal,
      call,
      emit: (event) => {
        events.push(event);
        onEvent(event);
      },
    });
    return events;
  };
}
const ignore = (_event: EvaluationEvent) => undefined;

const NO_TOKENS = { input: 0, output: 0, total: 0 };
/** Returns the sum in two pieces and records the roles of its calls. */
function adder(): { call: ModelCaller; asked: string[] } {
  const asked: string[] = [];
  const call: ModelCaller = async ({ role, prompt }, { onText }) => {
    asked.push(role);
    const [, a = '0', b = '0'] = prompt.match(/(\d+) \+ (\d+)/) ?? [];
    const text = String(Number(a) + Number(b));
    onText?.(text.slice(0, 1));
    onText?.(text.slice(1));
    const tokenUsage = { input: 10, output: 2, total: 12 };
    const reply = { text, finishReason: 'stop', tokenUsage, costUsd: 0.01, latencyMs: 5, attempts: 1, warnings: [] };
    return { ok: true, reply };
  };
  return { call, asked };
}

function failing(kind: ModelFailure['kind'], remedy: string): ModelCaller {
  const failure = {
    message: 'No.',
    remedy,
    status: null,
    attempts: 1,
    latencyMs: 1,
    tokenUsage: NO_TOKENS,
    costUsd: 0,
  };
  return async () => ({ ok: false, failure: { kind, ...failure } });
}

function of<Type extends EvaluationEvent['type']>(events: EvaluationEvent[], type: Type) {
  return events.filter((event): event is Extract<EvaluationEvent, { type: Type }> => event.type === type);
}
const end = (events: EvaluationEvent[]) => of(events, 'end')[0];

describe('an evaluation', () => {
  test('runs a text on all but the held-out cases, streams and caches the results', async () => {
    const evaluate = await newPrompt();
    const { call, asked } = adder();
    const first = await evaluate({ texts: [{ version: 1 }] }, call);
    expect(first[0]).toEqual({ type: 'begin', cells: 5, known: 0, calls: 5, skipped: [] });
    expect(of(first, 'text').map(({ piece }) => piece)).toContain('4');
    expect(
      of(first, 'proof')
        .map(({ position }) => position)
        .toSorted(),
    ).toEqual([0, 1, 2, 3, 4]);
    for (const { proof, known } of of(first, 'proof'))
      expect([known, proof.score, proof.satisfactory, proof.costUsd]).toEqual([false, 1, true, 0.01]);
    expect(end(first)).toMatchObject({ calls: 5, inputTokens: 50, outputTokens: 10, unpriced: false, stopped: 0 });

    const again = await evaluate({ texts: [{ text: wordsOf(`sums-${count - 1}`) }] }, call);
    expect(again[0]).toEqual({ type: 'begin', cells: 5, known: 5, calls: 0, skipped: [] });
    expect(of(again, 'proof').every(({ known }) => known)).toBe(true);
    expect(end(again)).toMatchObject({ calls: 0, costUsd: 0 });

    const more = await evaluate({ texts: [{ version: 1 }], positions: [5, 0] }, call);
    expect(more[0]).toEqual({ type: 'begin', cells: 2, known: 1, calls: 1, skipped: [] });
    expect(asked.length).toBe(6);
  });

  test('skips the cases that a criterion can never score and runs the others', async () => {
    const context = testContext(db.database());
    const cases = [
      { input: 'What is 1 + 4?', reference: '5', tags: ['train'] },
      { input: 'What is 2 + 4?', reference: null, tags: ['train'] },
      { input: 'What is 3 + 4?', reference: 'seven', tags: ['train'] },
    ];
    const numeric = { name: 'sum', evaluator: 'reference', config: { match: 'numeric' } };
    const { id } = unwrap(await createDataset(context, TESTER, { name: 'Gaps', cases }));
    const evaluate = await newPrompt([numeric], { datasetId: id });
    const { call, asked } = adder();
    const skipped = [
      { position: 1, criterion: 'sum', missing: 'reference' },
      { position: 2, criterion: 'sum', missing: 'number' },
    ];
    const before = await evaluate({ texts: [{ version: 1 }], pay: false }, call);
    expect(before).toMatchObject([{ type: 'begin', cells: 1, known: 0, calls: 1, skipped }, { type: 'end' }]);
    const events = await evaluate({ texts: [{ version: 1 }] }, call);
    expect(events[0]).toEqual({ type: 'begin', cells: 1, known: 0, calls: 1, skipped });
    expect(of(events, 'proof').map(({ position, proof }) => [position, proof.score])).toEqual([[0, 1]]);
    expect(end(events)).toMatchObject({ calls: 1, stopped: 0 });
    expect(asked).toHaveLength(1);
  });

  test('of two identical texts makes one call and reports both', async () => {
    const evaluate = await newPrompt();
    const { call, asked } = adder();
    const events = await evaluate(
      { texts: [{ version: 1 }, { text: wordsOf(`sums-${count - 1}`) }], positions: [1] },
      call,
    );
    expect(events[0]).toEqual({ type: 'begin', cells: 2, known: 0, calls: 1, skipped: [] });
    expect(of(events, 'proof').map(({ text }) => text)).toEqual([0, 1]);
    expect(asked).toEqual(['try']);
  });

  test('only reads cached results if it must not make calls', async () => {
    const evaluate = await newPrompt([exact, judged]);
    const { call, asked } = adder();
    const events = await evaluate({ texts: [{ version: 1 }], pay: false }, call);
    expect(events.map(({ type }) => type)).toEqual(['begin', 'end']);
    expect(events[0]).toMatchObject({ calls: 10 });
    expect(asked).toEqual([]);
  });

  test('runs the practice model under two model names in parallel', async () => {
    const models = ['practice-1', 'practice-2'].map((model) => ({ provider: 'practice', model }));
    const evaluate = await newPrompt([exact], { models });
    const call = createModelCaller({
      addresses: { allowLoopback: false, allowedPrivateHosts: [] },
      resolveProvider: providerResolver(testContext(db.database())),
      practicePaceMs: 0,
    });
    const events = await evaluate({ texts: [{ text: '{{input}}' }], positions: [0, 1] }, call);
    expect(
      of(events, 'proof')
        .map(({ model, position }) => `${model} ${position}`)
        .toSorted(),
    ).toEqual(['0 0', '0 1', '1 0', '1 1']);
  });
});

describe('a stopped evaluation', () => {
  test('ends its pending calls, stores no results of them and starts no more', async () => {
    const evaluate = await newPrompt();
    const leaving = new AbortController();
    const flying = new Set<Promise<void>>();
    let started = 0;
    const hanging: ModelCaller = async (_request, { signal }) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      flying.add(promise);
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
      if (++started === 5) leaving.abort();
      await promise;
      flying.delete(promise);
      return failing('aborted', '')(_request, { signal, onText: null });
    };
    const events = await evaluate({ texts: [{ version: 1 }, { text: 'Sum of {{input}}' }] }, hanging, {
      signal: leaving.signal,
    });
    expect(flying.size).toBe(0);
    expect(started).toBeLessThanOrEqual(6);
    expect(of(events, 'failed')).toEqual([]);
    expect(end(events)).toMatchObject({ stopped: 10 });
    expect((await evaluate({ texts: [{ version: 1 }], pay: false }, hanging))[0]).toMatchObject({ known: 0 });
  });

  test('keeps earlier results, so the next evaluation only pays for the rest', async () => {
    const evaluate = await newPrompt();
    const { call, asked } = adder();
    const crashing: ModelCaller = async (request, options) => {
      if (request.prompt.includes('3 + 4')) throw new Error('killed');
      return call(request, options);
    };
    await expect(evaluate({ texts: [{ version: 1 }] }, crashing)).rejects.toThrow('killed');
    expect(asked.length).toBeGreaterThan(0);
    const paid = asked.length;
    const events = await evaluate({ texts: [{ version: 1 }] }, call);
    expect(of(events, 'proof').length).toBe(5);
    expect(asked.length).toBe(5);
    expect(end(events)).toMatchObject({ calls: 5 - paid });
  });
});

describe('a failed response', () => {
  test('reports the reason and the remedy, is not cached, and is retried', async () => {
    const evaluate = await newPrompt();
    const refused = await evaluate({ texts: [{ version: 1 }] }, failing('refused', 'Word it differently.'));
    expect(of(refused, 'failed').length).toBe(5);
    expect(of(refused, 'failed')[0]).toMatchObject({ message: 'No.', remedy: 'Word it differently.' });
    expect(end(await evaluate({ texts: [{ version: 1 }] }, adder().call))).toMatchObject({ calls: 5 });
  });

  test('stops further calls if its reason applies to all cases', async () => {
    const evaluate = await newPrompt();
    let calls = 0;
    const closed: ModelCaller = async (request, options) => {
      calls += 1;
      return failing('unauthorized', 'Correct the key.')(request, options);
    };
    const events = await evaluate({ texts: [{ version: 1 }, { text: 'Do {{input}}' }] }, closed);
    expect(of(events, 'failed').length).toBe(10);
    expect(calls).toBeLessThanOrEqual(6);
  });

  test('of a judge stops the cases of all models', async () => {
    const models = ['a', 'b'].map((model) => ({ provider: 'practice', model }));
    const evaluate = await newPrompt([judged], { models, evaluatorModel: { provider: 'practice', model: 'judge' } });
    const { call } = adder();
    const asked: string[] = [];
    const unusable: ModelCaller = async (request, options) => {
      asked.push(`${request.role} ${request.model.model}`);
      const used = request.role === 'judge' ? failing('unauthorized', 'Correct the key.') : call;
      return used(request, options);
    };
    const events = await evaluate({ texts: [{ version: 1 }] }, unusable);
    expect(of(events, 'failed').length).toBe(10);
    // Six at the same time, and none after the first failure of the judge.
    expect(asked.filter((one) => one.startsWith('try')).length).toBeLessThanOrEqual(6);
  });

  test('of a judge does not stop cases without a judge', async () => {
    const context = testContext(db.database());
    const cases = Array.from({ length: 12 }, (_, at) => ({
      input: `What is ${at} + 40?`,
      reference: String(at + 40),
      tags: ['train'],
      ...(at > 5 && { criteria: { others: 'off', add: [exact] } }),
    }));
    const mixed = unwrap(await createDataset(context, TESTER, { name: 'Mixed', cases })).id;
    const evaluate = await newPrompt([judged], {
      datasetId: mixed,
      evaluatorModel: { provider: 'practice', model: 'judge' },
    });
    const { call } = adder();
    const unusable: ModelCaller = (request, options) =>
      (request.role === 'judge' ? failing('unauthorized', 'Correct the key.') : call)(request, options);
    const events = await evaluate({ texts: [{ version: 1 }] }, unusable);
    expect(
      of(events, 'failed')
        .map(({ position }) => position)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 1, 2, 3, 4, 5]);
    expect(of(events, 'proof').length).toBe(6);
  });

  test('that cannot be scored is cached and scored again only on request', async () => {
    const evaluate = await newPrompt([judged]);
    const { call, asked } = adder();
    const first = await evaluate({ texts: [{ version: 1 }], positions: [0] }, call);
    expect(of(first, 'proof')[0]?.proof).toMatchObject({ output: '4', score: null, status: 'partial' });
    expect((await evaluate({ texts: [{ version: 1 }], positions: [0] }, call))[0]).toMatchObject({ known: 1 });

    const tries = asked.filter((role) => role === 'try').length;
    const willing: ModelCaller = async (request, options) => {
      if (request.role !== 'judge') return call(request, options);
      const judgement = { criteria: [{ name: 'clear', score: 0.9, reason: 'It is.' }], issues: [], suggestions: [] };
      const outcome = await call(request, { ...options, onText: null });
      return outcome.ok ? { ok: true, reply: { ...outcome.reply, text: JSON.stringify(judgement) } } : outcome;
    };
    const again = await evaluate({ texts: [{ version: 1 }], positions: [0], again: true }, willing);
    expect(of(again, 'proof')[0]?.proof).toMatchObject({ output: '4', score: 0.9, status: 'scored' });
    expect(asked.filter((role) => role === 'try').length).toBe(tries);
  });
});

describe('an evaluation is refused', () => {
  test.each([
    ['without texts', {}, { texts: [] }, 'texts must contain at least one text'],
    ['for an empty text', {}, { texts: [{ text: ' ' }] }, 'texts.0'],
    ['for an unknown version', {}, { texts: [{ version: 7 }] }, 'there is no such version'],
    ['for an unknown case', {}, { texts: [{ version: 1 }], positions: [9] }, 'it has 6, counted from 0'],
    ['without a dataset', { datasetId: null }, { texts: [{ version: 1 }] }, 'no dataset yet'],
  ])('%s', async (_name, setup, input, words) => {
    const evaluate = await newPrompt([exact], setup);
    await expect(evaluate(input, adder().call)).rejects.toThrow(words);
  });

  test('without criteria', async () => {
    await expect((await newPrompt([]))({ texts: [{ version: 1 }] }, adder().call)).rejects.toThrow('no criteria yet');
  });
});
