import { describe, expect, test } from 'vitest';
import { reportTrial, type TrialRun } from './trial-report.ts';

function run(key: string, hasLesson: boolean, given: Partial<TrialRun> = {}): TrialRun {
  const id = `${key}-${hasLesson ? 'with' : 'without'}`;
  return { id, key, hasLesson, case: `Case ${key}`, isEnded: true, firstScore: 0.4, bestScore: 0.8, ...given };
}

describe('trial report', () => {
  test('pairs the runs of a case, with separate lifts for the result and the first draft', () => {
    const report = reportTrial(
      [
        run('a', false, { bestScore: 0.7 }),
        run('b', false, { bestScore: 0.9 }),
        run('a', true, { bestScore: 0.9, firstScore: 0.6 }),
        run('b', true, { bestScore: 0.8, firstScore: 0.6 }),
      ],
      's',
    );
    expect(report).toMatchObject({ runs: 4, ended: 4, repetitions: 1 });
    expect(report.result).toMatchObject({ n: 2, lift: 0.05, helped: 1, harmed: 1 });
    expect(report.result.harmedCases).toEqual([{ case: 'Case b', without: 0.9, with: 0.8 }]);
    expect(report.firstDraft).toMatchObject({ n: 2, lift: 0.2, helped: 2 });
    expect(report.cases[0]).toEqual({
      case: 'Case a',
      without: 0.7,
      with: 0.9,
      runWithoutId: 'a-without',
      runWithId: 'a-with',
    });
  });

  test('counts a repeated case once, by the mean of its scored runs', () => {
    const report = reportTrial(
      [
        run('a', false, { bestScore: 0.2 }),
        run('a', false, { bestScore: 0.4 }),
        run('a', true, { bestScore: 0.9 }),
        run('a', true, { bestScore: null }),
      ],
      's',
    );
    expect(report.repetitions).toBe(2);
    expect(report.result).toMatchObject({ n: 1, unscored: 0 });
    expect(report.result.lift).toBeCloseTo(0.6, 6);
  });

  test('excludes and counts cases with a running, failed or missing run on one side', () => {
    const report = reportTrial(
      [
        run('a', false),
        run('a', true, { isEnded: false }),
        run('b', false),
        run('b', true, { bestScore: null }),
        run('c', false),
      ],
      's',
    );
    expect(report).toMatchObject({ runs: 5, ended: 4 });
    expect(report.result).toMatchObject({ n: 0, unscored: 3, lift: null, isNoise: true });
  });
});
