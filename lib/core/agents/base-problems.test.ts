import { expect, test } from 'vitest';
import { type ExperimentSettingsInput, settingsSchema } from '../settings.ts';

const REACT = { type: 'react' as const, tools: ['calculator'] };
const TEAM = { type: 'supervisor' as const, workers: [{ name: 'solver', tools: ['calculator'] }] };

function problemOf(base: ExperimentSettingsInput['generator']['base'], more: Partial<ExperimentSettingsInput> = {}) {
  const generator = { provider: 'practice', model: 'practice-1', base };
  const criteria = [{ name: 'right', evaluator: 'llm' as const }];
  const issue = settingsSchema.safeParse({ mode: 'retry', generator, criteria, ...more }).error?.issues[0];
  return issue === undefined ? null : `${issue.path.join('.')} ${issue.message}`;
}

test.each<[string, Parameters<typeof problemOf>, string | RegExp | null]>([
  ['an agent in retry mode', [REACT], null],
  ['an agent in revise mode', [REACT, { mode: 'revise' }], null],
  ['an agent with a tuned prompt', [REACT, { mode: 'tune' }], null],
  ['a supervisor in tune mode', [TEAM, { mode: 'tune' }], /^generator\.base must be single or react in tune mode/],
  [
    'a tool that needs approval in tune mode',
    [{ ...REACT, approve: ['calculator'] }, { mode: 'tune' }],
    /^generator\.base\.approve must be empty in tune mode/,
  ],
  [
    'a reflection interval in tune mode',
    [REACT, { mode: 'tune', triggers: { stepInterval: 2 } }],
    /^triggers\.stepInterval must be null in tune mode/,
  ],
  [
    'a watched tool in tune mode',
    [REACT, { mode: 'tune', triggers: { onTools: ['calculator'] } }],
    /^triggers\.onTools must be empty in tune mode/,
  ],
  ['a reflection interval for an agent', [REACT, { triggers: { stepInterval: 2 } }], null],
  [
    'a reflection interval for a single call',
    [undefined, { triggers: { stepInterval: 2 } }],
    /^triggers\.stepInterval must be null/,
  ],
  [
    'a reflection interval of 0',
    [REACT, { triggers: { stepInterval: 0 } }],
    /^triggers\.stepInterval must be a whole number from 1 to 100, got 0/,
  ],
  ['a watched tool', [REACT, { triggers: { onTools: ['calculator'] } }], null],
  ['a watched tool of a worker', [TEAM, { triggers: { onTools: ['calculator'] } }], null],
  [
    'a watched tool that no agent has',
    [REACT, { triggers: { onTools: ['javascript'] } }],
    /^triggers\.onTools\.0 must be one of the agent's tools/,
  ],
  [
    'a watched tool for a single call',
    [undefined, { triggers: { onTools: ['calculator'] } }],
    /^triggers\.onTools\.0 must be left out/,
  ],
  ['budgets over all runs', [REACT, { budget: { maxExperimentCostUsd: 5, maxExperimentTokens: 1_000 } }], null],
  [
    'a budget of 0',
    [REACT, { budget: { maxExperimentCostUsd: 0 } }],
    /^budget\.maxExperimentCostUsd must be a number from/,
  ],
])('%s', (_name, given, expected) => {
  const problem = problemOf(...given);
  if (expected === null) expect(problem).toBeNull();
  else expect(problem).toMatch(expected);
});
