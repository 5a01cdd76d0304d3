import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { callsOfRun } from './calls-of-run.ts';

const FIXED: ExperimentSettingsInput['criteria'] = [
  { name: 'exact', evaluator: 'reference', config: { match: 'exact' } },
];

test.each<{ name: string; settings: Partial<ExperimentSettingsInput>; lowest: number; highest: number }>([
  {
    name: 'a draft and its judge call, two rounds of critique, revision and judge call',
    settings: { maxIterations: 2 },
    lowest: 2,
    highest: 8,
  },
  { name: 'no revisions', settings: { maxIterations: 0 }, lowest: 2, highest: 2 },
  {
    name: 'no judge calls for code evaluators',
    settings: { maxIterations: 2, criteria: FIXED },
    lowest: 1,
    highest: 5,
  },
  {
    name: 'attempts with a lesson in between',
    settings: { mode: 'retry', maxAttempts: 3, criteria: FIXED },
    lowest: 1,
    highest: 5,
  },
  {
    name: 'attempts without lessons',
    settings: { mode: 'retry', maxAttempts: 3, criteria: FIXED, lessons: { write: 'off' } },
    lowest: 1,
    highest: 3,
  },
  {
    name: 'a reflection at the end',
    settings: { maxIterations: 0, lessons: { reflectOnEnd: true } },
    lowest: 3,
    highest: 3,
  },
  {
    name: 'no end reflection if no lessons are written',
    settings: { maxIterations: 0, lessons: { reflectOnEnd: true, write: 'off' } },
    lowest: 2,
    highest: 2,
  },
])('$name', ({ settings, lowest, highest }) => {
  expect(callsOfRun(settingsOf(settings))).toEqual({ lowest, highest });
});
