import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { tuningSettingsOf } from '#lib/core/tuning/simulated-tunings.test-support.ts';
import { callsByRole } from './calls-of-run.ts';

const GENERATOR = { provider: 'practice', model: 'practice-1' };
const MEANING = { provider: 'local', model: 'embed' };

test.each<{ name: string; settings: Partial<ExperimentSettingsInput>; calls: Record<string, [number, number]> }>([
  {
    name: 'a critique and a revision per round',
    settings: { maxIterations: 3 },
    calls: { generate: [1, 1], evaluate: [1, 4], reflect: [0, 3], revise: [0, 3] },
  },
  {
    name: 'attempts with lessons in between and a reflection at the end',
    settings: { mode: 'retry', maxAttempts: 3, lessons: { reflectOnEnd: true } },
    calls: { generate: [1, 3], evaluate: [1, 3], lesson: [1, 3] },
  },
  {
    name: 'a check of each lesson if its model is set',
    settings: {
      mode: 'retry',
      maxAttempts: 3,
      lessons: { reflectOnEnd: true, check: { provider: 'practice', model: 'practice-1' } },
    },
    calls: { generate: [1, 3], evaluate: [1, 3], lesson: [1, 3], lesson_check: [0, 3] },
  },
  {
    name: 'comparisons in both orders except for the first version, a call per checklist, and no calls for Python tests',
    settings: {
      maxIterations: 1,
      criteria: [
        { name: 'better', evaluator: 'comparison', config: { against: 'previous' } },
        { name: 'list', evaluator: 'checklist', config: { items: ['It is short.'] } },
        { name: 'tests', evaluator: 'python_tests', config: { tests: 'def test_a():\n    assert True' } },
      ],
    },
    calls: { generate: [1, 1], evaluate: [1, 4], reflect: [0, 1], revise: [0, 1] },
  },
  {
    name: 'embeddings of outputs and of recall queries',
    settings: {
      maxIterations: 1,
      embeddingModel: MEANING,
      criteria: [{ name: 'near', evaluator: 'reference', config: { match: 'embedding' } }],
      lessons: { embeddings: MEANING },
    },
    calls: { generate: [1, 1], embed: [2, 4], reflect: [0, 1], revise: [0, 1] },
  },
  {
    name: 'an agent: its turns with a reflection after every third, and its drafts revised by single calls',
    settings: {
      maxIterations: 2,
      generator: { ...GENERATOR, base: { type: 'react', maxSteps: 10 } },
      triggers: { stepInterval: 3 },
    },
    calls: { turn: [1, 10], evaluate: [1, 3], reflect: [0, 5], revise: [0, 2] },
  },
  {
    name: 'a supervisor: its turns and those of its workers in every attempt, with reflections on tool results',
    settings: {
      mode: 'retry',
      maxAttempts: 2,
      generator: {
        ...GENERATOR,
        base: {
          type: 'supervisor',
          tools: ['calculator'],
          workers: [{ name: 'a' }, { name: 'b', maxSteps: 2 }],
          maxSteps: 4,
        },
      },
      triggers: { onTools: ['calculator'] },
    },
    calls: { turn: [1, 24], evaluate: [1, 2], reflect: [0, 6], lesson: [0, 1] },
  },
])('$name', ({ settings, calls }) => {
  const found = [...callsByRole(settingsOf(settings), null)];
  expect(Object.fromEntries(found.map(([role, { lowest, highest }]) => [role, [lowest, highest]]))).toEqual(calls);
});

test('counts tries, judge calls and proposals of a tuning run', () => {
  const settings = tuningSettingsOf({ maxIterations: 2, budget: { maxCalls: 5 } });
  const found = callsByRole(settings, { train: 6, validation: 4, held_out: 2 });
  expect(Object.fromEntries(found)).toEqual({
    try: { lowest: 6, highest: 6 + 2 * (6 + 4) + 2 * 2 + 2 + 2 * 3 * 2 },
    judge: { lowest: 6, highest: 6 + 2 * (6 + 4) + 2 * 2 + 2 + 2 * 3 * 2 },
    reflect: { lowest: 0, highest: 2 },
  });
  expect(() => callsByRole(settings, null)).toThrow('depend on its cases');
});

test('counts up to all turns per case for a tuned agent', () => {
  const base = { type: 'react' as const, maxSteps: 5 };
  const counts = { train: 6, validation: 4, held_out: 2 };
  const settings = tuningSettingsOf({ maxIterations: 0, generator: { ...GENERATOR, base } });
  expect(callsByRole(settings, counts).get('try')).toEqual({ lowest: 6, highest: 30 });
  expect(callsByRole(settings, counts).get('judge')).toEqual({ lowest: 6, highest: 6 });
});
