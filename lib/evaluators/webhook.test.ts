import { expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';

test('a score is shown to three decimals and kept as it came', async () => {
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
