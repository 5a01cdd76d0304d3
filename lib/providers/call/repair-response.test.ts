import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { evaluatorCalls } from '#lib/core/evaluate-request.ts';
import { completion } from '#lib/testing/scripted-server.test-support.ts';
import { serveScript } from '#lib/testing/serve-script.test-support.ts';
import { createModelCaller } from './create-model-caller.ts';
import { REPAIRED, repairResponse } from './repair-response.ts';

const output = { name: 'verdict', schema: z.object({ score: z.number(), reason: z.string() }) };
const raw = (text: string, finishReason = 'stop') => ({
  text,
  finishReason,
  tokenUsage: { input: 1, output: 1, total: 2, cached: 0 },
  warnings: [],
});

describe('repairReply', () => {
  test.each([
    ['a missing comma', '{"score": 0.5 "reason": "fine"}'],
    ['unquoted names', '{score: 0.5, reason: "fine"}'],
    ['single quotes', "{'score': 0.5, 'reason': 'fine'}"],
    ['a missing closing brace', '{"score": 0.5, "reason": "fine"'],
    ['surrounding prose', 'Here you are:\n{"score": 0.5, reason: "fine"}\nAnything else?'],
    ['a code fence', 'Here:\n```json\n{"score": 0.5, reason: "fine"}\n```\n{not this}'],
    ['a thinking block', '<think>{</think>{"score": 0.5, reason: "fine"}'],
  ])('%s', (_name, text) => {
    const repaired = repairResponse(raw(text), { output });
    expect(JSON.parse(repaired.text)).toEqual({ score: 0.5, reason: 'fine' });
    expect(repaired.warnings).toEqual([REPAIRED]);
  });

  test.each([
    ['JSON', '{"score": 0.5, "reason": "fine"}', 'stop'],
    ['JSON within prose', 'Sure: {"score": 0.5, "reason": "fine"}', 'stop'],
    ['a truncated response', '{"score": 0.5, "reason": "fi', 'length'],
    ['prose', 'The score is 0.5, which is fine.', 'stop'],
    ['JSON that does not match the schema', '{"score": "high" "reason": "fine"}', 'stop'],
    ['text that is too long', `{"score": 0.5 "reason": "${'x'.repeat(30_000)}"}`, 'stop'],
    ['excessive nesting', '{"a":'.repeat(3_000), 'stop'],
  ])('does not repair %s', (_name, text, finishReason) => {
    expect(repairResponse(raw(text, finishReason), { output })).toEqual(raw(text, finishReason));
  });

  test('does not repair a reply if no JSON was requested', () => {
    expect(repairResponse(raw('{a: 1}'), { output: null })).toEqual(raw('{a: 1}'));
  });
});

describe('a judge that returns broken JSON', () => {
  const RESPONSE =
    '{"criteria": [{"name": "clarity", "score": 0.9, "reason": "clear", "issues": [], "suggestions": []}], "confidence": 1, "stillOpen": []}';

  async function judged(first: ReturnType<typeof completion>) {
    const server = await serveScript([first, completion(RESPONSE)]);
    const { baseUrl, requests } = server;
    const call = createModelCaller({
      addresses: { allowLoopback: true, allowedPrivateHosts: [] },
      resolveProvider: async (name) => ({ name, kind: 'openai-compatible', baseUrl, apiKey: null, prices: {} }),
    });
    const settings = settingsWith([{ name: 'clarity', description: 'Is it clear?', evaluator: 'llm' }]);
    const { ask } = evaluatorCalls(settings, (request) =>
      call(request, { signal: new AbortController().signal, onText: null }),
    );
    const outcome = await evaluateWith({
      settings,
      case: { input: 'Explain tides.', reference: null, tags: [], metadata: {} },
      output: 'The moon pulls the sea.',
      ask,
    });
    return { outcome, calls: requests.length };
  }

  test('is called once', async () => {
    const { outcome, calls } = await judged(completion(RESPONSE.replace('0.9,', '0.9')));
    expect(outcome).toMatchObject({ ok: true, evaluation: { criteriaScores: { clarity: 0.9 } } });
    expect(calls).toBe(1);
  });

  test('is called twice if the response was truncated', async () => {
    const { outcome, calls } = await judged(completion(RESPONSE.slice(0, 60), 'length'));
    expect(outcome).toMatchObject({ ok: true, evaluation: { criteriaScores: { clarity: 0.9 } } });
    expect(calls).toBe(2);
  });
});
