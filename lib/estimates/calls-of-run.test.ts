import { expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { callsOfRun } from './calls-of-run.ts';

const FIXED: ExperimentSettingsInput['criteria'] = [
  { name: 'exact', evaluator: 'reference', config: { match: 'exact' } },
];

test.each<{ name: string; settings: Partial<ExperimentSettingsInput>; lowest: number; highest: number }>([
  {
    name: 'a draft, its judge, two rounds of critique, revision and judge',
    settings: { maxIterations: 2 },
    lowest: 2,
    highest: 8,
  },
  { name: 'no revision', settings: { maxIterations: 0 }, lowest: 2, highest: 2 },
  { name: 'fixed checks ask nobody', settings: { maxIterations: 2, criteria: FIXED }, lowest: 1, highest: 5 },
  {
    name: 'attempts with a lesson between them',
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
    name: 'none where nothing is written',
    settings: { maxIterations: 0, lessons: { reflectOnEnd: true, write: 'off' } },
    lowest: 2,
    highest: 2,
  },
])('$name', ({ settings, lowest, highest }) => {
  expect(callsOfRun(settingsOf(settings))).toEqual({ lowest, highest });
});
