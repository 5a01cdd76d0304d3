import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Conversation } from '#lib/core/agents/agent-records.ts';
import type { ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { callKey, type SavedResponse } from '#lib/runs/journal.ts';
import { fingerprintOf, recordedCall } from './recorded-call.ts';

const SPENT = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100.4, attempts: 2 };
const TOOL = { name: 'search', description: 'Finds.', parameters: { type: 'object' } };
const NOW = new Date('2026-01-05T10:00:00.000Z');

function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'evaluate',
    ordinal: 0,
    model: { provider: 'p', model: 'm' },
    instructions: 'Judge.',
    prompt: 'It is so.',
    temperature: 0,
    maxOutputTokens: null,
    output: null,
    ...changes,
  };
}

function reply(text: string): ModelOutcome {
  return { ok: true, reply: { text, finishReason: 'stop', warnings: ['careful'], ...SPENT } };
}

function savedResponse(text: string): SavedResponse {
  return { text, finishReason: 'stop', warnings: [], ...SPENT };
}

const SAVED_STEP = 3;

/** A journalled call over a model that returns these responses in turn. `asked` and `recorded` collect the requests and entries. */
function journal(answers: ModelOutcome[], saved: [ModelRequest, string][] = []) {
  const asked: ModelRequest[] = [];
  const recorded: CallEntry[] = [];
  const pieces: string[] = [];
  const call = recordedCall({
    call: async (question, { onText }) => {
      const answer = answers[asked.length];
      asked.push(question);
      if (answer === undefined) throw new Error('asked more often than scripted');
      onText?.('piece');
      return answer;
    },
    saved: new Map(
      saved.map(([question, text]) => [
        callKey({ step: SAVED_STEP, ordinal: question.ordinal, fingerprint: fingerprintOf(question) }),
        savedResponse(text),
      ]),
    ),
    record: (entry) => recorded.push(entry),
    signal: () => new AbortController().signal,
    onText: () => (piece) => pieces.push(piece),
    now: () => NOW,
  });
  return { call, asked, recorded, pieces };
}

function textOf(outcome: ModelOutcome): string {
  return outcome.ok ? outcome.reply.text : outcome.failure.message;
}

describe('journalledCall', () => {
  test.each([
    ['try', null],
    ['turn', 'first'],
  ] as const)('a conversation of role %s in a later step is stored as a continuation of: %s', async (role, after) => {
    const { call, recorded } = journal([reply('one'), reply('two')]);
    const message = { role: 'user' as const, text: 'a' };
    const first = request({ role, conversation: { messages: [message], tools: [TOOL] } });
    const second = request({ role, conversation: { messages: [message, message], tools: [TOOL] } });
    await call(3, first);
    await call(4, second);
    expect(recorded[1]?.conversation?.after).toBe(after === null ? null : fingerprintOf(first));
  });

  test('a saved response is neither requested nor recorded again', async () => {
    const { call, asked, recorded } = journal([], [[request(), 'saved']]);
    expect(await call(3, request())).toEqual({ ok: true, reply: savedResponse('saved') });
    expect(asked).toEqual([]);
    expect(recorded).toEqual([]);
  });

  test.each<[string, Partial<ModelRequest>]>([
    ['a call at another position in the step', { ordinal: 1 }],
    ['another prompt', { prompt: 'It is not so.' }],
    ['other instructions', { instructions: 'Judge mildly.' }],
    ['another model', { model: { provider: 'p', model: 'n' } }],
    ['another provider', { model: { provider: 'q', model: 'm' } }],
    ['another temperature', { temperature: 1 }],
    ['no temperature', { temperature: null }],
    ['another token limit', { maxOutputTokens: 100 }],
    ['another response format', { output: { name: 'evaluation', schema: z.object({}) } }],
    ['with a seed', { sampling: { seed: 1 } }],
    ['with a header', { sampling: { headers: { 'X-Team': 'a' } } }],
    ['with tools', { conversation: { messages: [], tools: [TOOL] } }],
  ])('sends a request with %s', async (_name, change) => {
    const { call, asked } = journal([reply('new')], [[request(), 'saved']]);
    expect(textOf(await call(3, request(change)))).toBe('new');
    expect(asked).toHaveLength(1);
  });

  test('the fingerprint of a request without model settings is stable across Hone releases', () => {
    expect(fingerprintOf(request())).toBe('abbc4e621292461d558906979e2098f4ff9c14ffe8333b0b33699fed2591c73d');
  });

  test.each<[string, Partial<Conversation>]>([
    ['additional messages', { messages: [{ role: 'user', text: 'Go on.' }] }],
    ['other tools', { tools: [] }],
    ['a tool with another description', { tools: [{ ...TOOL, description: 'Finds less.' }] }],
  ])('sends an agent turn with %s, but not an identical one', async (_name, change) => {
    const conversation: Conversation = { messages: [], tools: [TOOL] };
    const turn = request({ role: 'turn', conversation });
    const { call, asked } = journal([reply('new')], [[turn, 'saved']]);
    expect(textOf(await call(3, structuredClone(turn)))).toBe('saved');
    expect(textOf(await call(3, { ...turn, conversation: { ...conversation, ...change } }))).toBe('new');
    expect(asked).toHaveLength(1);
  });

  test('an agent turn is recorded with its conversation and its tool calls', async () => {
    const conversation: Conversation = { messages: [{ role: 'user', text: 'Go on.' }], tools: [TOOL] };
    const toolCalls = [{ id: 'x', tool: 'search', arguments: '{"q":"\u0000"}' }];
    const response = {
      thought: 'I see\ud800',
      tokenDetails: { cached: 4, reasoning: null },
      toolCalls,
      callsLeftOut: 3,
    };
    const plain = reply('Hm');
    const { call, recorded } = journal([plain.ok ? { ok: true, reply: { ...plain.reply, ...response } } : plain]);
    const clean = { thought: 'I see\ufffd', toolCalls: [{ id: 'x', tool: 'search', arguments: '{"q":"\ufffd"}' }] };
    expect(await call(3, request({ role: 'turn', conversation }))).toMatchObject({ ok: true, reply: clean });
    const counts = { callsLeftOut: 3, cachedTokens: 4, reasoningTokens: null };
    expect(recorded).toMatchObject([{ role: 'turn', conversation, ...clean, ...counts }]);
  });

  test('calls of one step keep their ordinals', async () => {
    const again = request({ ordinal: 1 });
    const { call, asked } = journal([reply('second')], [[request(), 'first']]);
    expect([textOf(await call(3, request())), textOf(await call(3, again))]).toEqual(['first', 'second']);
    expect(asked).toEqual([again]);
  });

  test('a saved response is reused only in the step that saved it', async () => {
    const { call, asked } = journal([reply('new')], [[request(), 'saved']]);
    expect(textOf(await call(3, request()))).toBe('saved');
    expect(textOf(await call(4, request()))).toBe('new');
    expect(asked).toHaveLength(1);
  });

  test('a saved response of a later step is reused in that step', async () => {
    const { call, asked } = journal([reply('new')], [[request(), 'saved']]);
    expect(textOf(await call(2, request()))).toBe('new');
    expect(textOf(await call(3, request()))).toBe('saved');
    expect(asked).toHaveLength(1);
  });

  test('a step repeated in the same process reuses its own responses', async () => {
    const { call, asked } = journal([reply('new')]);
    expect(textOf(await call(3, request()))).toBe('new');
    expect(textOf(await call(3, request()))).toBe('new');
    expect(asked).toHaveLength(1);
  });

  test('an earlier step that follows two later ones reuses its own responses', async () => {
    const { call, asked } = journal([reply('three'), reply('four'), reply('two'), reply('other')]);
    await call(3, request());
    await call(4, request());
    const guided = request({ prompt: 'Another one.' });
    expect(textOf(await call(2, guided))).toBe('two');
    expect(textOf(await call(2, guided))).toBe('two');
    expect(asked).toHaveLength(3);
  });

  /** A journalled call over a model whose responses the test resolves in any order. */
  function slowJournal() {
    const open: PromiseWithResolvers<ModelOutcome>[] = [];
    const recorded: CallEntry[] = [];
    const call = recordedCall({
      call: () => {
        const answer = Promise.withResolvers<ModelOutcome>();
        open.push(answer);
        return answer.promise;
      },
      saved: new Map(),
      record: (entry) => recorded.push(entry),
      signal: () => new AbortController().signal,
      onText: () => null,
      now: () => NOW,
    });
    const answer = (at: number, text: string) => open[at]?.resolve(reply(text));
    return { call, recorded, answer, asked: () => open.length };
  }

  test('concurrent calls of one step are answered and recorded separately, in any order of completion', async () => {
    const { call, recorded, answer, asked } = slowJournal();
    const requests = [0, 64, 128].map((ordinal) => request({ ordinal }));
    const outcomes = requests.map((request) => call(3, request));
    for (const [at, text] of [
      [2, 'third'],
      [0, 'first'],
      [1, 'second'],
    ] as const) {
      answer(at, text);
      await outcomes[at];
    }
    expect((await Promise.all(outcomes)).map(textOf)).toEqual(['first', 'second', 'third']);
    expect(recorded.map(({ ordinal, text }) => [ordinal, text])).toEqual([
      [128, 'third'],
      [0, 'first'],
      [64, 'second'],
    ]);
    expect(textOf(await call(3, request({ ordinal: 64 })))).toBe('second');
    expect(asked()).toBe(3);
  });

  test('a response that arrives after the next step began is recorded for its own step and not reused', async () => {
    const { call, recorded, answer, asked } = slowJournal();
    const late = call(3, request());
    const next = call(4, request({ prompt: 'Another one.' }));
    answer(0, 'late');
    await late;
    const same = call(4, request());
    expect(asked()).toBe(3);
    answer(1, 'next');
    answer(2, 'fresh');
    expect([textOf(await next), textOf(await same)]).toEqual(['next', 'fresh']);
    expect(recorded.map(({ step, text }) => [step, text])).toEqual([
      [3, 'late'],
      [4, 'next'],
      [4, 'fresh'],
    ]);
  });

  test('records all fields of a call', async () => {
    const { call, recorded, pieces } = journal([reply('so')]);
    await call(3, request({ ordinal: 2, maxOutputTokens: 50, output: { name: 'evaluation', schema: z.object({}) } }));
    expect(recorded).toEqual([
      {
        step: 3,
        ordinal: 2,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        role: 'evaluate',
        provider: 'p',
        model: 'm',
        instructions: 'Judge.',
        prompt: 'It is so.',
        options: { temperature: 0, maxOutputTokens: 50, output: 'evaluation' },
        text: 'so',
        finishReason: 'stop',
        failure: null,
        inputTokens: 10,
        outputTokens: 5,
        costUsd: 0.01,
        latencyMs: 100,
        attempts: 2,
        warnings: ['careful'],
        createdAt: NOW.toISOString(),
      },
    ]);
    expect(pieces).toEqual(['piece']);
  });

  test('records a failure with its cost and returns it', async () => {
    const failure = { kind: 'unavailable' as const, message: 'down', remedy: 'wait', status: 503, ...SPENT };
    const { call, recorded } = journal([{ ok: false, failure }]);
    expect(await call(3, request())).toEqual({ ok: false, failure });
    expect(recorded).toMatchObject([
      {
        text: null,
        finishReason: null,
        failure: { kind: 'unavailable', message: 'down', remedy: 'wait', status: 503 },
        inputTokens: 10,
        attempts: 2,
      },
    ]);
  });

  test('replaces U+0000 and lone surrogates with U+FFFD in the result and in the record', async () => {
    const { call, recorded } = journal([reply('a\u0000b\uD800c😀')]);
    expect(textOf(await call(3, request()))).toBe('a\uFFFDb\uFFFDc😀');
    expect(recorded[0]?.text).toBe('a\uFFFDb\uFFFDc😀');
  });
});
