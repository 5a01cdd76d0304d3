import { expect, test } from 'vitest';
import { estimatedTokens } from '#lib/core/estimated-tokens.ts';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import { generatePrompt } from '#lib/core/prompts/generate-prompt.ts';
import type { Prompt } from '#lib/core/prompts/render-template.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { evaluatePrompt } from '#lib/evaluators/llm.ts';
import { assumedCall } from './assumed-call.ts';

const TASK = { input: 'Explain tides.', reference: null, tags: [], metadata: {} };
const revising = (includeReflectionHistory: boolean, maxIterations = 5) =>
  settingsOf({ maxIterations, revision: { includeReflectionHistory } });

test('carried findings raise the upper estimate of a revision, not the lower one', () => {
  const without = assumedCall(revising(false), 'revise', TASK).input;
  const carried = assumedCall(revising(true), 'revise', TASK).input;
  expect(carried.highest).toBeGreaterThan(without.highest);
  expect(carried.lowest).toBe(without.lowest);
  expect(assumedCall(revising(true, 1), 'revise', TASK).input).toEqual(
    assumedCall(revising(false, 1), 'revise', TASK).input,
  );
});

test.each(['generate', 'evaluate', 'reflect', 'revise', 'lesson'] as const)(
  'counts the system prompt in a call of %s, sent directly or quoted as task rules',
  (role) => {
    const settings = revising(true);
    const instructions = 'Answer in German. '.repeat(100);
    const ruled = { ...settings, generator: { ...settings.generator, instructions } };
    const more = assumedCall(ruled, role, TASK).input.lowest - assumedCall(settings, role, TASK).input.lowest;
    expect(more).toBeGreaterThan(instructions.length / 6);
  },
);

test.each<[string, Partial<ExperimentSettingsInput>, Partial<ExperimentSettingsInput>]>([
  ['revise', { mode: 'revise', maxIterations: 3 }, { mode: 'revise', maxIterations: 0 }],
  ['retry', { mode: 'retry', maxAttempts: 3 }, { mode: 'retry', maxAttempts: 1 }],
])('a judge may be shown open issues in %s mode, but not of a first version', (_mode, several, one) => {
  const of = (changes: Partial<ExperimentSettingsInput>) => assumedCall(settingsOf(changes), 'evaluate', TASK).input;
  expect(of(several).highest).toBeGreaterThan(of(one).highest);
  expect(of(several).lowest).toBe(of(one).lowest);
});

test('estimates traces of cases in a proposal for an agent or a target', () => {
  const tuned = (changes: Partial<ExperimentSettingsInput>) =>
    assumedCall(
      settingsOf({ mode: 'tune', prompts: { generate: '{{input}}' }, tune: { minibatchSize: 5 }, ...changes }),
      'reflect',
      TASK,
    );
  const single = tuned({});
  const agent = tuned({ generator: { provider: 'p', model: 'm', base: { type: 'react', tools: ['calculator'] } } });
  expect(agent.input.highest - single.input.highest).toBeGreaterThanOrEqual(5 * 2_000);
  expect(agent.input.lowest).toBeLessThan(single.input.highest);
});

test('the lower estimate of a first version contains a short answer without lessons and issues', () => {
  const settings = settingsOf({ criteria: [{ name: 'style', evaluator: 'llm' }] });
  const sizeOf = ({ instructions, prompt }: Prompt) => estimatedTokens(instructions) + estimatedTokens(prompt);
  const drafted = sizeOf(generatePrompt(settings, TASK, []));
  const criteria = settings.criteria.filter((one) => one.evaluator === 'llm');
  const judged = sizeOf(evaluatePrompt({ settings, criteria, case: TASK, output: 'No.', wrong: null, openIssues: [] }));
  for (const [role, tokens] of [['generate', drafted] as const, ['evaluate', judged] as const]) {
    const { input, output } = assumedCall(settings, role, TASK);
    expect(input.lowest, role).toBeLessThanOrEqual(tokens);
    expect(output.lowest, role).toBeLessThanOrEqual(estimatedTokens('Finish[1234567]'));
  }
});
