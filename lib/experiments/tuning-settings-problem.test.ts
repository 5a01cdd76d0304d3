import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { tuningSettingsProblem } from './tuning-settings-problem.ts';

const SHARED = { threshold: 0.5 };

test.each<{ name: string; changes: Partial<ExperimentSettingsInput>; field: string | null }>([
  { name: 'valid settings', changes: {}, field: null },
  { name: 'no prompt', changes: { prompts: { generate: null } }, field: 'prompts.generate' },
  {
    name: 'a task description instead of a prompt',
    changes: { prompts: { generate: null }, tune: { task: 'Sort mails.' } },
    field: null,
  },
  {
    name: 'an empty task description',
    changes: { prompts: { generate: null }, tune: { task: ' ' } },
    field: 'prompts.generate',
  },
  { name: 'an empty prompt', changes: { prompts: { generate: ' ' } }, field: 'prompts.generate' },
  { name: 'a prompt without a variable', changes: { prompts: { generate: 'Sort the mail.' } }, field: null },
  {
    name: 'a prompt longer than proposals may be',
    changes: { prompts: { generate: `${'x'.repeat(100)} {{input}}` }, tune: { maxPromptTokens: 20 } },
    field: 'tune.maxPromptTokens',
  },
  {
    name: 'a human criterion',
    changes: {
      criteria: [
        { ...SHARED, name: 'a', evaluator: 'llm' },
        { ...SHARED, name: 'b', evaluator: 'human' },
      ],
    },
    field: 'criteria.1.evaluator',
  },
  {
    name: 'a comparison with the previous version',
    changes: { criteria: [{ ...SHARED, name: 'a', evaluator: 'comparison', config: { against: 'previous' } }] },
    field: 'criteria.0.config.against',
  },
  {
    name: 'a comparison with the reference',
    changes: { criteria: [{ ...SHARED, name: 'a', evaluator: 'comparison', config: { against: 'reference' } }] },
    field: null,
  },
  {
    name: 'sampled examples for several components',
    changes: {
      prompts: {},
      generator: {
        provider: 'app',
        model: '(target)',
        target: { name: 'app', components: { planner: 'P', writer: 'W' }, tuned: ['planner', 'writer'] },
      },
      tune: { strategy: 'few_shot' },
    },
    field: 'tune.strategy',
  },
  {
    name: 'temperatures for a target',
    changes: {
      prompts: {},
      generator: {
        provider: 'app',
        model: '(target)',
        target: { name: 'app', components: { planner: 'P' }, tuned: 'planner' },
      },
      tune: { parameters: { temperatures: [0.5] } },
    },
    field: 'tune.parameters.temperatures',
  },
  { name: 'escalation', changes: { callbacks: { escalate: true } }, field: 'callbacks.escalate' },
  {
    name: 'a review of drafts',
    changes: { callbacks: { review: { drafts: true } } },
    field: 'callbacks.review.drafts',
  },
  { name: 'a review of proposals', changes: { callbacks: { review: { revisions: true } } }, field: null },
  { name: 'reflection on errors', changes: { triggers: { onError: true } }, field: 'triggers.onError' },
  {
    name: 'reflection on a score drop',
    changes: { triggers: { onQualityDrop: true } },
    field: 'triggers.onQualityDrop',
  },
])('$name', ({ changes, field }) => {
  const found = tuningSettingsProblem(tuningSettingsOf(changes));
  const problem = found?.ok === false ? found.problem : null;
  expect(problem?.field ?? null).toBe(field);
  if (field !== null) expect(problem?.message.startsWith(`${field} must`)).toBe(true);
});

test('ignores other modes', () => {
  expect(tuningSettingsProblem({ ...tuningSettingsOf({ prompts: { generate: null } }), mode: 'revise' })).toBeNull();
});
