import { describe, expect, test } from 'vitest';
import { STOP_REASONS } from '#lib/core/stop-reasons.ts';
import { endedByRule } from './batch-report.ts';
import { wilsonInterval } from './intervals.ts';
import { CAP_STOPS, EARLY_STOPS } from './read-target.ts';

describe('share of runs ended by a stop rule instead of a cap', () => {
  test.each<{ name: string; reasons: Record<string, number>; expected: { met: number; n: number } | null }>([
    { name: 'no runs', reasons: {}, expected: null },
    {
      name: 'only runs that a person ended or that failed',
      reasons: { user_stopped: 3, user_accepted: 2, model_failed: 1 },
      expected: null,
    },
    {
      name: 'the runs of the example',
      reasons: { quality_met: 20, plateau: 1, semantic_stability: 1, max_iterations: 1 },
      expected: { met: 22, n: 23 },
    },
    { name: 'all at a cap', reasons: { max_iterations: 2, token_budget: 1 }, expected: { met: 0, n: 3 } },
  ])('$name', ({ reasons, expected }) => {
    const runs = Object.entries(reasons).flatMap(([stopReason, count]) =>
      Array.from({ length: count }, (_, at) => ({ stopReason, caseKey: `${stopReason} ${at}` })),
    );
    const found = endedByRule(runs, true);
    expect(found).toEqual(expected === null ? null : { ...expected, ...wilsonInterval(expected.met, expected.n) });
  });

  test('every stop reason is early, a cap, or neither (user, failure or tuning)', () => {
    const neither = STOP_REASONS.filter((reason) => !EARLY_STOPS.includes(reason) && !CAP_STOPS.includes(reason));
    expect(new Set(neither)).toEqual(
      new Set([
        'user_accepted',
        'user_stopped',
        'model_failed',
        'evaluation_failed',
        'internal_error',
        'cut_off',
        'nothing_to_mend',
      ]),
    );
  });
});
