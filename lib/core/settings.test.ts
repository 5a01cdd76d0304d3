import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelFor } from './model-roles.ts';
import { BEST_VERSION_RULES, MODES } from './setting-choices.ts';
import {
  type ExperimentSettingsInput,
  LESSON_STORES,
  LESSON_WRITES,
  PAUSE_RULES,
  RECALLED_AGENTS,
  settingsSchema,
  TASK_TYPES,
} from './settings.ts';

const SETTINGS = {
  mode: 'revise',
  generator: { provider: 'practice', model: 'practice-1' },
  criteria: [{ name: 'clarity', evaluator: 'llm' }],
};

describe('settings', () => {
  test('keep convergence null', () => {
    expect(settingsSchema.parse({ ...SETTINGS, convergence: null }).convergence).toBeNull();
  });

  test('without the lesson library fields get their defaults', () => {
    const before = { store: 'block', block: 'mine', write: 'off', agent: 'a' };
    expect(settingsSchema.parse({ ...SETTINGS, lessons: before }).lessons).toMatchObject({
      ...before,
      topK: 3,
      tokenBudget: 1_500,
      embeddings: null,
      pinned: [],
    });
  });

  test('survive a JSON round trip unchanged', () => {
    fc.assert(
      fc.property(inputs, (input) => {
        const settings = settingsSchema.parse(input);
        expect(settingsSchema.parse(JSON.parse(JSON.stringify(settings)))).toEqual(settings);
      }),
    );
  });
});

test.each([
  ['generate', 'writer'],
  ['revise', 'writer'],
  ['evaluate', 'judge'],
  ['reflect', 'critic'],
  ['lesson', 'critic'],
] as const)('%s uses the %s model', (role, model) => {
  const of = (name: string) => ({ provider: 'p', model: name });
  const own = settingsSchema.parse({
    ...SETTINGS,
    generator: of('writer'),
    evaluatorModel: of('judge'),
    reflectionModel: of('critic'),
  });
  expect(modelFor(own, role)).toEqual(of(model));
  expect(modelFor({ ...own, evaluatorModel: null, reflectionModel: null }, role)).toEqual(of('writer'));
});

const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
const share = fc.double({ min: 0, max: 1, noNaN: true });
const criterion = fc.oneof(
  fc.record({ evaluator: fc.constant('llm' as const), threshold: share, description: fc.string() }),
  fc.record({
    evaluator: fc.constant('regex' as const),
    config: fc.record({ pattern: word, mustMatch: fc.boolean() }),
  }),
  fc.record({
    evaluator: fc.constant('reference' as const),
    config: fc.record({ match: fc.constantFrom('exact' as const, 'contains' as const), extract: word }),
  }),
);
const inputs: fc.Arbitrary<ExperimentSettingsInput> = fc.record(
  {
    mode: fc.constantFrom(...MODES),
    generator: fc.record({ provider: word, model: word, instructions: fc.string(), temperature: fc.option(share) }),
    criteria: fc
      .array(criterion, { minLength: 1, maxLength: 4 })
      .map((list) => list.map((one, position) => ({ ...one, name: `c${position}`, weight: position + 0.5 }))),
    taskType: fc.constantFrom(...TASK_TYPES),
    qualityThreshold: share,
    maxIterations: fc.integer({ min: 0, max: 50 }),
    convergence: fc.option(fc.record({ improvementThreshold: share }, { requiredKeys: [] })),
    bestVersion: fc.constantFrom(...BEST_VERSION_RULES),
    callbacks: fc.record({ pause: fc.constantFrom(...PAUSE_RULES) }),
    prompts: fc.record({ generate: fc.option(fc.string()), lesson: fc.option(fc.string()) }, { requiredKeys: [] }),
    lessons: fc.record(
      {
        store: fc.constantFrom(...LESSON_STORES),
        topK: fc.integer({ min: 1, max: 20 }),
        tokenBudget: fc.integer({ min: 1, max: 100_000 }),
        embeddings: fc.option(fc.record({ provider: word, model: word })),
        check: fc.option(fc.record({ provider: word, model: word })),
        pinned: fc.array(fc.uuid(), { maxLength: 20 }),
        write: fc.constantFrom(...LESSON_WRITES),
        recallAgents: fc.constantFrom(...RECALLED_AGENTS),
      },
      { requiredKeys: [] },
    ),
    budget: fc.record({ maxTokens: fc.option(fc.integer({ min: 1, max: 1_000_000 })) }),
  },
  { requiredKeys: ['mode', 'generator', 'criteria'] },
);
