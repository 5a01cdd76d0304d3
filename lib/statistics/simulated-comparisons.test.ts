import { expect, test, vi } from 'vitest';
import { type ArmCase, compareArms } from '#lib/compare/compare-arms.ts';
import { seededDraws } from './paired-bootstrap.ts';
import type { Verdict } from './paired-verdict.ts';

// Thousands of comparisons exceed the default timeout on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SIMULATIONS = 2_000;
/** Upper bound of the integer random draws. */
const FINENESS = 1_000_000;

/**
 * Simulates two experiments with one run per case. `gained` and `lost` are the chances that only the second, or only the first, solves a
 * case.
 */
function solvedBy(cases: number, { gained, lost }: { gained: number; lost: number }, seed: string): Verdict {
  const chances = drawn(cases, seed);
  const first: ArmCase[] = [];
  const second: ArmCase[] = [];
  chances.forEach((chance, index) => {
    const [isGained, isLost] = [chance < gained, chance >= gained && chance < gained + lost];
    const isBoth = chance >= (1 + gained + lost) / 2;
    first.push(caseOf(index, isLost || isBoth ? 1 : 0, null));
    second.push(caseOf(index, isGained || isBoth ? 1 : 0, null));
  });
  return compareArms([arm('first', first), arm('second', second)]).against[0]?.solved.verdict ?? 'too_few';
}

/** Simulates two experiments by best score: cases differ in level, and each run deviates, mostly a little upwards, sometimes far down. */
function scoresOf(cases: number, seed: string): Verdict {
  const [levels, ones, others] = [drawn(cases, `${seed} level`), drawn(cases, `${seed} 1`), drawn(cases, `${seed} 2`)];
  const score = (level = 0, chance = 0) => Math.max(0, Math.min(1, 0.3 + 0.4 * level + 0.2 * (1 - chance ** 0.3)));
  const first = levels.map((level, index) => caseOf(index, 0, score(level, ones[index])));
  const second = levels.map((level, index) => caseOf(index, 0, score(level, others[index])));
  return (
    compareArms([arm('first', first), arm('second', second)], { metric: 'score' }).against[0]?.score.verdict ??
    'too_few'
  );
}

function shareOf(verdicts: Verdict[], wanted: Verdict[]): number {
  return verdicts.filter((verdict) => wanted.includes(verdict)).length / verdicts.length;
}

function simulate(compare: (seed: string) => Verdict): Verdict[] {
  return Array.from({ length: SIMULATIONS }, (_, time) => compare(`simulation ${time}`));
}

function drawn(cases: number, seed: string): number[] {
  const draws = new Uint32Array(cases);
  seededDraws(FINENESS, seed)(draws);
  return Array.from(draws, (draw) => draw / FINENESS);
}

function caseOf(index: number, solved: number, score: number | null): ArmCase {
  return { caseKey: String(index), runs: 1, judged: 1, solved, score, costUsd: 0 };
}

function arm(name: string, cases: ArmCase[]) {
  return { arm: name, cases };
}

test('two equal experiments differ by solved cases at most 6 % of the time', () => {
  for (const cases of [24, 200]) {
    const verdicts = simulate((seed) => solvedBy(cases, { gained: 0.15, lost: 0.15 }, seed));
    expect(shareOf(verdicts, ['better', 'worse'])).toBeLessThanOrEqual(0.06);
  }
});

test('detects 15 points, 30 % discordant over 200 cases, at least 90 % of the time', () => {
  const up = simulate((seed) => solvedBy(200, { gained: 0.225, lost: 0.075 }, seed));
  const down = simulate((seed) => solvedBy(200, { gained: 0.075, lost: 0.225 }, seed));
  expect(shareOf(up, ['better'])).toBeGreaterThanOrEqual(0.9);
  expect(shareOf(down, ['worse'])).toBeGreaterThanOrEqual(0.9);
  expect(shareOf(up, ['worse']) + shareOf(down, ['better'])).toBe(0);
});

test('any of four experiments equal to the baseline differs at most 6 % of the time', () => {
  const verdicts = simulate((seed): Verdict => {
    const arms = Array.from({ length: 5 }, (_, index) => {
      const chances = drawn(100, `${seed} arm ${index}`);
      return arm(
        String(index),
        chances.map((chance, at) => caseOf(at, chance < 0.6 ? 1 : 0, null)),
      );
    });
    const found = compareArms(arms).against.map(({ solved }) => solved.verdict);
    return found.find((verdict) => verdict !== 'within_noise') ?? 'within_noise';
  });
  expect(shareOf(verdicts, ['better', 'worse'])).toBeLessThanOrEqual(0.06);
  expect(shareOf(verdicts, ['better', 'worse'])).toBeGreaterThan(0);
});

test('two equal experiments differ by score at most 6 % of the time', () => {
  const verdicts = simulate((seed) => scoresOf(20, seed));
  expect(shareOf(verdicts, ['better', 'worse'])).toBeLessThanOrEqual(0.06);
  expect(shareOf(verdicts, ['better', 'worse'])).toBeGreaterThan(0.03);
});
