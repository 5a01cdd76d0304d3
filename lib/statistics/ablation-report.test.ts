import { expect, test } from 'vitest';
import { settingsSchema } from '#lib/core/settings.ts';
import { tryOf, tuningHistory } from '#lib/core/tuning-history.test-support.ts';
import { ablationHistory, ablationTries } from './ablation.ts';
import { contributions } from './ablation-report.ts';

const SETTINGS = settingsSchema.parse({
  mode: 'tune',
  generator: { provider: 'practice', model: 'practice-1' },
  prompts: { generate: '{{input}}' },
  criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
});

/** Returns the report of parts from the scores of the whole prompt and of the prompt without each part; null is unscored. */
function measured(whole: (number | null)[], without: (number | null)[][], weights: number[] = []) {
  const history = tuningHistory(SETTINGS, { validation: whole.length }, [{ output: 'first' }, { output: 'better' }]);
  const cases = history.cases.map((one) => ({ ...one, weight: weights[one.position] ?? 1 }));
  const parts = without.map((_, at) => ({ edits: [{ start: 0, end: 1, restored: [`without ${at}`] }] }));
  const tries = [whole, ...without].flatMap((scores, version) =>
    scores.map((score, position) => tryOf({ tries: [], step: 0 }, version, position, score)),
  );
  const positions = cases.map(({ position }) => position);
  return contributions(ablationHistory({ ...history, cases }, { version: 1, parts }, tries), positions);
}

const times = (count: number, score: number) => Array.from({ length: count }, () => score);

test.each([
  { name: 'lower on 12 of 12 cases without it', whole: times(12, 1), without: times(12, 0), verdict: 'helps' },
  { name: 'higher on 12 of 12 cases without it', whole: times(12, 0), without: times(12, 1), verdict: 'hurts' },
  { name: 'the same on 10 cases', whole: times(10, 0.5), without: times(10, 0.5), verdict: 'no_difference' },
  { name: 'the same on 9 cases', whole: times(9, 1), without: times(9, 1), verdict: 'not_enough_evidence' },
  { name: 'lower on 3 of 3 cases', whole: times(3, 1), without: times(3, 0), verdict: 'not_enough_evidence' },
  {
    name: 'lower on 5 of 12 cases',
    whole: times(12, 1),
    without: [...times(5, 0), ...times(7, 1)],
    verdict: 'not_enough_evidence',
  },
])('$name: $verdict', ({ whole, without, verdict }) => {
  expect(measured(whole, [without]).parts[0]?.verdict).toBe(verdict);
});

test('comparing several parts raises the corrected p-value', () => {
  const whole = times(12, 1);
  // 7 of 12 cases: p = 2 / 2⁷ = 0.0156, times 4 parts = 0.0625.
  const lower = [...times(7, 0), ...times(5, 1)];
  expect(measured(whole, [lower]).parts[0]).toMatchObject({ p: 0.015625, pHolm: 0.015625, verdict: 'helps' });
  const [first] = measured(whole, [lower, whole, whole, whole]).parts;
  expect(first).toMatchObject({ p: 0.015625, pHolm: 0.0625, verdict: 'not_enough_evidence' });
});

test('the contribution is the mean difference over cases scored on both sides, with an interval', () => {
  const { whole, parts } = measured([1, 1, 0, 1, null], [[0, 1, 0, 0, 1]]);
  expect(whole).toMatchObject({ n: 4, mean: 0.75 });
  // Differences 1, 0, 0, 1: standard error 0.2887, and 3.182 of them on each side.
  expect(parts[0]).toMatchObject({ n: 4, contribution: 0.5, better: 2, worse: 0, same: 2, high: 1 });
  expect(parts[0]?.low).toBeCloseTo(0.5 - 3.18245 * Math.sqrt(1 / 12), 5);
});

test('has an interval when all cases differ by the same amount', () => {
  const [part] = measured(times(6, 0.8), [times(6, 0.6)]).parts;
  expect(part).toMatchObject({ contribution: 0.2, low: 0.041118, high: 0.593082 });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'the minimum calls for %i parts can show a difference, one case fewer cannot',
  (parts) => {
    const cases = ablationTries(parts, 100).least / (parts + 1);
    const verdictOn = (count: number) => {
      const same = Array.from({ length: parts - 1 }, () => times(count, 1));
      return measured(times(count, 1), [times(count, 0), ...same]).parts[0]?.verdict;
    };
    expect([verdictOn(cases), verdictOn(cases - 1)]).toEqual(['helps', 'not_enough_evidence']);
    expect(ablationTries(parts, 3).least).toBe(3 * (parts + 1));
  },
);

test('weights cases', () => {
  const { whole, parts } = measured([1, 1, 0, 0], [[0, 1, 0, 0]], [3, 1, 1, 1]);
  expect(whole?.mean).toBeCloseTo(4 / 6);
  expect(parts[0]?.contribution).toBeCloseTo(0.5);
});

test('reports no evidence before the first score', () => {
  expect(measured([null, null], [[null, null]])).toMatchObject({
    whole: null,
    parts: [{ n: 0, contribution: null, low: null, high: null, p: null, verdict: 'not_enough_evidence' }],
  });
});
