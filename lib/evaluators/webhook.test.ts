import { expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import type { ValidatorRequest } from './evaluator.ts';

test('shows a score with three decimals and stores it unrounded', async () => {
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'own', evaluator: 'webhook', config: { name: 'policy' } }]),
    case: { input: 'Say it.', reference: null, tags: [], metadata: {} },
    output: 'Said.',
    ask: askScript([]).ask,
    validate: async () => ({ ok: true, json: { score: 5 / 6, reason: '60 words' }, durationMs: 1 }),
  });
  expect(outcome).toMatchObject({
    ok: true,
    evaluation: {
      criteriaScores: { own: 5 / 6 },
      reasons: { own: 'The webhook "policy" gave 0.833: 60 words' },
    },
  });
});

const CHAT = [
  { role: 'user' as const, content: 'Hi' },
  { role: 'assistant' as const, content: 'Yes?' },
];

test.each([
  ['the messages of a conversation', CHAT, CHAT],
  ['no messages of a text', undefined, undefined],
])('receives %s', async (_name, messages, sent) => {
  const asked: ValidatorRequest[] = [];
  await evaluateWith({
    settings: settingsWith([{ name: 'own', evaluator: 'webhook', config: { name: 'policy' } }]),
    case: { input: 'User: Hi', ...(messages && { messages }), reference: null, tags: [], metadata: {} },
    output: 'Said.',
    ask: askScript([]).ask,
    validate: async (_webhook, request) => {
      asked.push(request);
      return { ok: true, json: { score: 1 }, durationMs: 1 };
    },
  });
  expect(asked[0]).toMatchObject({ input: 'User: Hi' });
  expect(asked[0]?.messages).toEqual(sent);
});
