import { mean } from 'simple-statistics';
import { expect, test } from 'vitest';
import { brier } from './calibration.ts';
import { meanInterval } from './intervals.ts';

test.each([
  {
    name: 'scikit-learn, example of brier_score_loss: 0.0375',
    given: [
      [0.1, false],
      [0.9, true],
      [0.8, true],
      [0.3, false],
    ] as const,
    mean: 0.0375,
    guessing: 0.25,
  },
  { name: 'Wikipedia, “Brier score”: 70 % and it rains', given: [[0.7, true]] as const, mean: 0.09, guessing: 0 },
  { name: 'Wikipedia, “Brier score”: 30 % and it rains', given: [[0.3, true]] as const, mean: 0.49, guessing: 0 },
  {
    name: 'always 0.5',
    given: [
      [0.5, true],
      [0.5, false],
    ] as const,
    mean: 0.25,
    guessing: 0.25,
  },
  {
    name: 'always right',
    given: [
      [1, true],
      [0, false],
    ] as const,
    mean: 0,
    guessing: 0.25,
  },
  {
    name: 'always wrong',
    given: [
      [0, true],
      [1, false],
    ] as const,
    mean: 1,
    guessing: 0.25,
  },
])('$name', ({ given, mean, guessing }) => {
  const found = brier(given.map(([chance, cameTrue], at) => ({ runId: String(at), chance, cameTrue })));
  expect(found?.mean).toBeCloseTo(mean, 6);
  expect(found?.guessing).toBeCloseTo(guessing, 6);
  expect(found?.n).toBe(given.length);
});

test('returns null without forecasts, and the interval of the means of runs', () => {
  expect(brier([])).toBeNull();
  const forecasts = Array.from({ length: 40 }, (_, index) => ({
    ...{ runId: String(index % 10), chance: (index % 5) / 5, cameTrue: index % 3 === 0 },
  }));
  const errors = (run: number) =>
    mean(
      forecasts
        .filter(({ runId }) => runId === String(run))
        .map(({ chance, cameTrue }) => (chance - Number(cameTrue)) ** 2),
    );
  expect(brier(forecasts)).toMatchObject({
    ...meanInterval(Array.from({ length: 10 }, (_, run) => errors(run))),
    n: 40,
  });
});
