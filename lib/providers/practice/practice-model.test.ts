import { describe, expect, test } from 'vitest';
import { answerForm, type PromptOptions } from '#lib/core/prompt-options.ts';
import { critiqueResponseSchema } from '#lib/core/prompts/critique-prompt.ts';
import { quote } from '#lib/core/prompts/quote.ts';
import { structuredResponse } from '#lib/core/responses.ts';
import { evaluateResponseSchema } from '#lib/evaluators/llm.ts';
import { readToolAnswer } from '#lib/formats/tool-answer.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { PRACTICE_MODEL, PRACTICE_PROVIDER } from '#lib/providers/provider-configuration.ts';
import { createModelCaller } from '../call/create-model-caller.ts';

const SAMPLE = 'Explain our rate limits to a new user';
const request: ModelRequest = {
  role: 'generate',
  ordinal: 0,
  model: { provider: 'practice', model: PRACTICE_MODEL },
  instructions: 'Do the task.',
  prompt: quote('task', SAMPLE),
  temperature: 0,
  maxOutputTokens: null,
  output: null,
};

const AN_HOUR_MS = 3_600_000;

type Asking = { signal?: AbortSignal; onText?: (piece: string) => void; paceMs?: number };

async function ask(changes: Partial<ModelRequest>, options: Asking = {}) {
  const call = createModelCaller({
    addresses: { allowLoopback: true, allowedPrivateHosts: [] },
    resolveProvider: async () => PRACTICE_PROVIDER,
    practicePaceMs: options.paceMs ?? 0,
  });
  return call(
    { ...request, ...changes },
    { signal: options.signal ?? new AbortController().signal, onText: options.onText ?? null },
  );
}

async function response(changes: Partial<ModelRequest>, options?: Asking) {
  const outcome = await ask(changes, options);
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.reply;
}

describe('the practice model behind the model caller', () => {
  const tools: PromptOptions['tools'] = [
    { name: 'lookup', description: 'Finds a customer.', parameters: { type: 'object', properties: {} } },
    {
      ...{ name: 'refund', description: 'Pays an order back.' },
      parameters: { type: 'object', properties: { order: { type: 'integer' } }, required: ['order'] },
    },
  ];
  const responseSchema = {
    name: 'label',
    schema: { type: 'object', properties: { label: { enum: ['praise', 'refund'] } }, required: ['label'] },
  };
  const prompt = quote('task', 'Please refund order 7.');

  test.each<ModelRequest['role']>(['generate', 'try'])('calls a tool of a prompt in the role %s', async (role) => {
    const { text } = await response({ role, prompt, ...answerForm({ tools, responseSchema }) });
    expect(readToolAnswer(text)).toEqual({ text: '', toolCalls: [{ name: 'refund', arguments: { order: 7 } }] });
  });

  test('returns text after a tool result', async () => {
    const form = answerForm({ tools, responseSchema: null });
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: 'Please refund order 7.' },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', tool: 'refund', arguments: '{"order":7}' }] },
      { role: 'tool', content: 'Paid.', tool: 'refund', toolCallId: '1' },
    ];
    const { text } = await response({ role: 'try', prompt: '', messages, ...form });
    expect(readToolAnswer(text)?.toolCalls ?? []).toEqual([]);
    const asked = await response({ role: 'try', prompt: '', messages: messages.slice(0, 1), ...form });
    expect(readToolAnswer(asked.text)?.toolCalls).toHaveLength(1);
  });

  test('streams a tool call', async () => {
    const { text } = await response({ prompt, ...answerForm({ tools, responseSchema: null }) }, { onText: () => {} });
    expect(readToolAnswer(text)?.toolCalls).toEqual([{ name: 'refund', arguments: { order: 7 } }]);
  });

  test('returns JSON that matches the response schema of a prompt', async () => {
    const { text } = await response({ role: 'try', prompt, ...answerForm({ tools: [], responseSchema }) });
    expect(JSON.parse(text)).toEqual({ label: 'refund' });
  });

  test('responds without delay when not streaming, with usage and a practice price', async () => {
    // The test would time out if the response were paced.
    const { text, tokenUsage, costUsd, finishReason, warnings, latencyMs } = await response({}, { paceMs: AN_HOUR_MS });
    expect(text).toContain('rate limits');
    expect(tokenUsage.input).toBe(Math.ceil((request.instructions.length + request.prompt.length) / 4));
    expect(tokenUsage.output).toBe(Math.ceil(text.length / 4));
    expect(costUsd).toBeGreaterThan(0);
    expect({ finishReason, warnings }).toEqual({ finishReason: 'stop', warnings: [] });
    expect(latencyMs).toBeGreaterThanOrEqual(0);
  });

  test('streams the same text word by word', async () => {
    const pieces: string[] = [];
    const outcome = await ask({}, { onText: (piece) => void pieces.push(piece) });
    expect(pieces.join('')).toBe((await response({})).text);
    expect(outcome).toMatchObject({ ok: true, reply: { text: pieces.join(''), finishReason: 'stop' } });
    expect(pieces.length).toBeGreaterThan(50);
    for (const piece of pieces) expect(piece.trim()).toMatch(/^\S+$/);
  });

  test('paces the streamed words', async () => {
    const stop = new AbortController();
    const startedAt = performance.now();
    const arrivals: number[] = [];
    const onText = () => {
      arrivals.push(performance.now() - startedAt);
      if (arrivals.length === 5) stop.abort();
    };
    await ask({}, { signal: stop.signal, paceMs: 20, onText });
    expect(arrivals).toHaveLength(5);
    // A timer can fire a fraction of a millisecond early.
    for (const [before, arrival] of arrivals.entries()) expect(arrival).toBeGreaterThan((before + 1) * 19);
  });

  test('is aborted immediately, even while waiting for the next word', async () => {
    const stop = new AbortController();
    const pieces: string[] = [];
    const asked = ask({}, { signal: stop.signal, paceMs: AN_HOUR_MS, onText: (piece) => void pieces.push(piece) });
    setTimeout(() => stop.abort(), 50);
    expect(await asked).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
    expect(pieces).toEqual([]);
  });

  test('returns evaluations and critiques in the requested format', async () => {
    const { text } = await response({});
    const candidate = [request.prompt, quote('candidate', text)];
    const judged = await response({
      role: 'evaluate',
      prompt: [...candidate, quote('criteria', '- clarity: easy\n- tone: kind')].join('\n\n'),
      output: { name: 'evaluation', schema: evaluateResponseSchema },
    });
    expect(structuredResponse(judged.text, evaluateResponseSchema)).toMatchObject({
      ok: true,
      value: { criteria: [{ name: 'clarity' }, { name: 'tone' }] },
    });
    const critiqued = await response({
      role: 'reflect',
      prompt: [...candidate, quote('feedback', '- There is no example.')].join('\n\n'),
      output: { name: 'critique', schema: critiqueResponseSchema },
    });
    expect(structuredResponse(critiqued.text, critiqueResponseSchema)).toMatchObject({
      ok: true,
      value: { issues: [{ text: 'There is no example.', criterion: null }] },
    });
  });

  test('truncates the response to the maximum output tokens', async () => {
    const { text, finishReason, tokenUsage } = await response({ maxOutputTokens: 10 });
    expect({ length: text.length, finishReason, output: tokenUsage.output }).toEqual({
      length: 40,
      finishReason: 'length',
      output: 10,
    });
  });

  test('returns an empty failure when it revises an empty draft', async () => {
    expect(await ask({ role: 'revise', prompt: `${request.prompt}\n\n${quote('draft', '')}` })).toMatchObject({
      ok: false,
      failure: { kind: 'empty' },
    });
  });
});
