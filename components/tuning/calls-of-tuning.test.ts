import { expect, test } from 'vitest';
import { settingsOf } from '#lib/reflection/history-of.test-support.ts';
import { callsOfTuning } from './calls-of-tuning.ts';

const byRule = [{ name: 'exact', evaluator: 'reference' as const, config: { match: 'exact' as const } }];
const byModel = [{ name: 'clear', evaluator: 'llm' as const }];

test.each([
  { name: 'no proposal allowed', changes: { maxIterations: 0 }, counts: [5, 4, 3], lowest: 7, highest: 7 },
  // 4 validated, 3 held out twice; a proposal: 1 call, 3 cases by parent and child, 4 validated.
  { name: 'one proposal', changes: { maxIterations: 1 }, counts: [5, 4, 3], lowest: 7, highest: 7 + 11 + 3 },
  {
    name: 'a judge doubles each try',
    changes: { maxIterations: 1, criteria: byModel },
    counts: [5, 4, 3],
    lowest: 14,
    highest: 14 + 21 + 6,
  },
  {
    name: 'the training cases choose',
    changes: { maxIterations: 2 },
    counts: [5, 0, 0],
    lowest: 5,
    highest: 5 + 2 * 6,
  },
  { name: 'fewer cases than a minibatch', changes: { maxIterations: 1 }, counts: [1, 2, 0], lowest: 2, highest: 2 + 5 },
])('$name', ({ changes, counts, lowest, highest }) => {
  const [train = 0, validation = 0, heldOut = 0] = counts;
  const settings = settingsOf({ mode: 'tune', criteria: byRule, ...changes });
  expect(callsOfTuning(settings, { train, validation, held_out: heldOut })).toEqual({ lowest, highest });
});
