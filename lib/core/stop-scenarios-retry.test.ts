import { describe, expect, test } from 'vitest';
import { answerTo, expectationOf, type Scenario } from './scenario.test-support.ts';
import type { ExperimentSettingsInput } from './settings.ts';

const RETRY = { mode: 'retry', qualityThreshold: 1 } satisfies Partial<ExperimentSettingsInput>;

/** Failed attempts with these answers. */
function answers(...given: (string | null)[]) {
  return given.map((answer) => ({ score: 0, answer }));
}

const groups: Record<string, Scenario[]> = {
  'order of steps in a retry loop': [
    { name: 'starts with the first attempt', versions: [], next: { type: 'attempt', iteration: 0 } },
    { name: 'evaluates an attempt', versions: [{ judged: [] }], next: { type: 'evaluate', version: 0 } },
    { name: 'continues after a failed attempt', versions: [0], continues: true },
    {
      name: 'writes a lesson',
      versions: [{ score: 0, continued: true }],
      next: { type: 'write_lesson', version: 0 },
    },
    {
      name: 'starts the next attempt',
      versions: [{ score: 0, continued: true, critiqued: true }],
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'starts the next attempt without a lesson if lessons are off',
      settings: { lessons: { write: 'off' } },
      versions: [{ score: 0, continued: true }],
      next: { type: 'attempt', iteration: 1 },
    },
    {
      name: 'a lower score is no drop, because attempts have no parent',
      versions: [0.9, { score: 0.1, continued: true, critiqued: true }],
      next: { type: 'attempt', iteration: 2 },
    },
    { name: 'solved by the first attempt', versions: [1], stops: 'quality_met', best: 0, iterations: 1 },
    { name: 'solved by a later attempt', versions: [0, 0, 1], stops: 'quality_met', best: 2, iterations: 3 },
    {
      name: 'solved at any quality threshold, because criteria have no threshold by default',
      settings: { qualityThreshold: 0.4, criteria: [{ name: 'quality', evaluator: 'llm' }] },
      versions: [0.3, 0.45],
      stops: 'quality_met',
      best: 1,
      iterations: 2,
    },
  ],
  'semantic_stability is the only early stop': [
    { name: 'no plateau: 0 0 0', versions: [0, 0, 0], continues: true },
    { name: 'no diminishing: 0.5 0.52 0.53', versions: [0.5, 0.52, 0.53], continues: true },
    { name: 'no oscillation: 0.5 0.7 0.6 0.7', versions: [0.5, 0.7, 0.6, 0.7], continues: true },
    {
      name: 'no repeated issues',
      versions: [0, 0, 0].map((score) => ({ score, issues: [{ criterion: null, text: 'Wrong' }] })),
      continues: true,
    },
    {
      name: 'three consecutive equal answers',
      versions: answers('rome', 'rome', 'rome'),
      stops: 'semantic_stability',
      best: 2,
    },
    { name: 'two equal answers are not enough', versions: answers('rome', 'rome'), continues: true },
    { name: 'not consecutive: a b a', versions: answers('rome', 'oslo', 'rome'), continues: true },
    {
      name: 'the last three: a b b b',
      versions: answers('rome', 'oslo', 'oslo', 'oslo'),
      stops: 'semantic_stability',
      best: 3,
    },
    {
      name: 'no longer consecutive: b b b a',
      settings: { convergence: { plateauIterations: 3 } },
      versions: answers('oslo', 'oslo', 'oslo', 'rome'),
      continues: true,
    },
    {
      name: 'plateauIterations 1: two equal answers',
      settings: { convergence: { plateauIterations: 1 } },
      versions: answers('rome', 'rome'),
      stops: 'semantic_stability',
      best: 1,
    },
    {
      name: 'plateauIterations 4: not with four',
      settings: { convergence: { plateauIterations: 4 } },
      versions: answers('rome', 'rome', 'rome', 'rome'),
      continues: true,
    },
    {
      name: 'plateauIterations 4: with five',
      settings: { convergence: { plateauIterations: 4 } },
      versions: answers('rome', 'rome', 'rome', 'rome', 'rome'),
      stops: 'semantic_stability',
      best: 4,
    },
    {
      name: 'equal answers with rising scores',
      versions: [0.1, 0.5, 0.9].map((score) => ({ score, answer: 'rome' })),
      stops: 'semantic_stability',
      best: 2,
    },
    {
      name: 'different answers in similar texts',
      versions: answers('rome', 'oslo', 'bern').map((one) => ({ ...one, output: 'It is so.' })),
      continues: true,
    },
    {
      name: 'equal normalised texts without an answer',
      versions: ['The Rome.', 'rome', ' ROME! '].map((output) => ({ score: 0, output })),
      stops: 'semantic_stability',
      best: 2,
    },
    {
      name: 'different texts without an answer',
      versions: ['Rome', 'rome', 'Romes'].map((output) => ({ score: 0, output })),
      continues: true,
    },
    {
      name: 'turned off by its flag',
      settings: { convergence: { detectStability: false } },
      versions: answers('rome', 'rome', 'rome'),
      continues: true,
    },
    {
      name: 'turned off by convergence null',
      settings: { convergence: null },
      versions: answers('rome', 'rome', 'rome'),
      continues: true,
    },
    {
      name: 'a solved attempt with a repeated answer',
      versions: [
        { score: 0, answer: 'rome' },
        { score: 0, answer: 'rome' },
        { score: 1, answer: 'rome' },
      ],
      stops: 'quality_met',
      also: ['semantic_stability'],
      best: 2,
    },
  ],
  max_iterations: [
    {
      name: 'maxAttempts 1',
      settings: { maxAttempts: 1 },
      versions: [0],
      stops: 'max_iterations',
      best: 0,
      iterations: 1,
    },
    {
      name: 'maxAttempts counts attempts: not reached',
      settings: { maxAttempts: 3 },
      versions: [0, 0],
      continues: true,
    },
    {
      name: 'maxAttempts counts attempts: reached',
      settings: { maxAttempts: 3 },
      versions: [0, 0, 0],
      stops: 'max_iterations',
      best: 2,
      iterations: 3,
    },
    {
      name: 'solved at the cap',
      settings: { maxAttempts: 2 },
      versions: [0, 1],
      stops: 'quality_met',
      also: ['max_iterations'],
      best: 1,
    },
    {
      name: 'after semantic_stability',
      settings: { maxAttempts: 3 },
      versions: answers('rome', 'rome', 'rome'),
      stops: 'semantic_stability',
      also: ['max_iterations'],
      best: 2,
    },
    { name: 'maxIterations has no effect', settings: { maxIterations: 0 }, versions: [0, 0], continues: true },
  ],
  'attempts cut off by their base': [
    { name: 'are not evaluated', versions: [{ interrupted: true }], continues: true },
    {
      name: 'write no lesson',
      versions: [0, { interrupted: true, continued: true }],
      next: { type: 'attempt', iteration: 2 },
    },
    {
      name: 'count towards the cap; the best version is a scored one',
      settings: { maxAttempts: 2 },
      versions: [0, { interrupted: true }],
      stops: 'max_iterations',
      best: 0,
      final: 1,
      iterations: 2,
    },
    {
      name: 'leave no best version if there are no others',
      settings: { maxAttempts: 2 },
      versions: [{ interrupted: true }, { interrupted: true }],
      stops: 'max_iterations',
      best: null,
      final: 1,
    },
    {
      name: 'are ignored when comparing answers',
      versions: [...answers('rome', 'rome'), { interrupted: true }, ...answers('rome')],
      stops: 'semantic_stability',
      best: 3,
    },
    {
      name: 'continue after a solved attempt that a person continued',
      versions: [{ score: 1, continued: true }, { interrupted: true }],
      continues: true,
    },
  ],
};

describe.each(Object.entries(groups))('retry mode: %s', (_name, scenarios) => {
  test.each(scenarios)('$name', (scenario) => {
    const retry = { ...scenario, settings: { ...RETRY, ...scenario.settings } };
    expect(answerTo(retry)).toMatchObject(expectationOf(retry));
  });
});
