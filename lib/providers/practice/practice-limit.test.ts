import { expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { practiceLimit } from './practice-limit.ts';

const practice = { provider: 'practice', model: 'practice-1' };
const judged = [{ name: 'clarity', evaluator: 'llm' as const }];
const exact = [{ name: 'same', evaluator: 'reference' as const, config: { match: 'exact' as const } }];
const LONG = `Summarise this letter. ${'The parcel came late. '.repeat(30)}`;

test.each<[string, Partial<ExperimentSettingsInput>, string, RegExp | null]>([
  ['writes a short text', { criteria: judged }, 'Explain our rate limits to a new user.', null],
  ['calculates a sum', { criteria: exact }, 'What is 17 × 23 + 4?', null],
  ['gives no other exact answers', { criteria: exact }, 'What is the capital of France?', /"same" checks/],
  ['does not read long texts', { criteria: judged }, LONG, /first sentence/],
  ['is not used', { criteria: judged, generator: { provider: 'mine', model: 'm' } }, LONG, null],
  [
    'tunes only classification prompts',
    { mode: 'tune', criteria: exact, prompts: { generate: 'Translate: {{input}}' } },
    'Hello',
    /sort texts/,
  ],
  [
    'classifies by labels',
    {
      mode: 'tune',
      criteria: exact,
      prompts: { generate: 'Answer with one label: billing, bug, other.\n\n{{input}}' },
    },
    'It crashes.',
    null,
  ],
])('the practice model %s', (_name, settings, task, limit) => {
  const notice = practiceLimit(settingsSchema.parse({ mode: 'revise', generator: practice, ...settings }), task);
  if (limit === null) expect(notice).toBeNull();
  else expect(notice).toMatch(limit);
});
