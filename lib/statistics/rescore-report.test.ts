import { describe, expect, test } from 'vitest';
import { type Rescore, reportRescores } from './rescore-report.ts';

function rescore(score: number | null, changes: Partial<Rescore> = {}): Rescore {
  return {
    version: 1,
    status: score === null ? 'partial' : 'scored',
    overallScore: score,
    criteriaScores: { clear: score, right: score },
    message: null,
    tokens: 10,
    costUsd: 0.01,
    ...changes,
  };
}
const first = { overallScore: 0.7, criteriaScores: { clear: 0.6, right: 0.8 } };

describe('spread of re-scores', () => {
  test.each([
    {
      name: 'equal scores',
      scores: [0.7, 0.7],
      spread: { n: 2, mean: 0.7, standardDeviation: 0, lowest: 0.7, highest: 0.7, within: 2, unscored: 0 },
    },
    {
      name: 'a difference of exactly 0.1 on both sides is within the tolerance',
      scores: [0.8, 0.6],
      spread: { n: 2, within: 2, lowest: 0.6, highest: 0.8 },
    },
    { name: 'a larger difference is not within the tolerance', scores: [0.81, 0.59, 0.7], spread: { n: 3, within: 1 } },
    { name: 'one re-score has no deviation', scores: [0.75], spread: { n: 1, standardDeviation: null, mean: 0.75 } },
    {
      name: 'an unscored re-score is counted and never 0',
      scores: [null, 0.7, null],
      spread: { n: 1, unscored: 2, mean: 0.7, lowest: 0.7 },
    },
    {
      name: 'no scored re-score',
      scores: [null],
      spread: { n: 0, unscored: 1, mean: null, lowest: null, highest: null, within: 0 },
    },
  ])('$name', ({ scores, spread }) => {
    const report = reportRescores(
      1,
      scores.map((score) => rescore(score)),
      first,
      ['only'],
    );
    expect(report.spreads).toHaveLength(1);
    expect(report.spreads[0]).toMatchObject(spread);
  });

  test('reports each criterion separately', () => {
    const report = reportRescores(1, [rescore(0.7, { criteriaScores: { clear: 0.9, right: null } })], first, [
      'clear',
      'right',
    ]);
    expect(report.spreads.map(({ criterion, n, unscored, within }) => ({ criterion, n, unscored, within }))).toEqual([
      { criterion: null, n: 1, unscored: 0, within: 1 },
      { criterion: 'clear', n: 1, unscored: 0, within: 0 },
      { criterion: 'right', n: 0, unscored: 1, within: 0 },
    ]);
  });

  test('uses the first re-score as the original if the run has no score', () => {
    expect(reportRescores(1, [rescore(0.5), rescore(0.65)], null, ['a']).spreads[0]).toMatchObject({
      first: 0.5,
      within: 1,
    });
  });

  test('counts waiting, failed and skipped re-scores, and includes the failure message', () => {
    const report = reportRescores(
      1,
      [
        rescore(0.7),
        rescore(null, { status: 'failed', message: 'down' }),
        rescore(null, { status: 'skipped', tokens: 0, costUsd: 0 }),
        rescore(null, { status: 'waiting', tokens: 0, costUsd: null }),
      ],
      first,
      ['a'],
    );
    expect(report).toMatchObject({
      asked: 4,
      scored: 1,
      unscored: 0,
      failed: 1,
      skipped: 1,
      waiting: 1,
      failure: 'down',
      tokens: 20,
      unpriced: true,
    });
    expect(report.spreads[0]).toMatchObject({ n: 1, unscored: 0 });
  });
});
