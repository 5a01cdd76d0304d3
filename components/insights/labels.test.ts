import { describe, expect, test } from 'vitest';
import { equalCost, type SpendTrajectory } from '#lib/statistics/equal-cost.ts';
import { wilsonInterval } from '#lib/statistics/intervals.ts';
import { readTarget } from '#lib/statistics/read-target.ts';
import { insightsParams, readInsightsView, runsBehind } from './insights-view.ts';
import {
  betterThreshold,
  costLabel,
  equalCostLabel,
  formatSpend,
  isExpensive,
  readingBehind,
  targetBecause,
  targetCount,
  targetLabel,
} from './labels.ts';

const ID = '0a1b2c3d-0000-4000-8000-00000000abcd';
const counted = (met: number, of: number) => ({ met, of, interval: wilsonInterval(met, of) });

describe('insights URL', () => {
  test.each([
    ['an experiment', { of: ID, days: '30' }, { experiment: ID, models: null, days: 30, against: null }],
    [
      'a model',
      { of: 'practice', against: 'check' },
      { experiment: null, models: 'practice', days: null, against: 'check' },
    ],
    [
      'nothing for unknown values',
      { of: 'x', days: '31', against: 'us' },
      { experiment: null, models: null, days: null, against: null },
    ],
  ])('selects %s', (_name, params: Record<string, string>, expected) => {
    const view = readInsightsView((name) => params[name] ?? null);
    expect(view).toEqual(expected);
    const back = insightsParams(view);
    expect(readInsightsView((name) => back[name] ?? null)).toEqual(view);
  });

  test('links a tile to its runs in the same scope', () => {
    expect(runsBehind({ experiment: ID, models: null, days: 7, against: null }, 'final_better.missed')).toBe(
      `/runs?reading=final_better.missed&experiment=${ID}&days=7`,
    );
  });
});

describe('target labels', () => {
  test.each([
    ['final_better', 78, 92, 'Met, within noise', 'final_better.missed'],
    ['final_better', 0, 92, 'Missed', 'final_better.missed'],
    ['within_three', 92, 92, 'Met', 'within_three.met'],
  ] as const)('%s at %i of %i reads "%s" and opens %s', (target, met, of, words, behind) => {
    const reading = readTarget(target, counted(met, of));
    expect(reading.reading).toBe(words);
    expect(readingBehind(reading)).toBe(behind);
    expect(targetCount(reading)).toBe(`${met} of ${of}`);
  });

  test('re-score labels show the number of outputs and the largest distance', () => {
    const reading = readTarget('scored_alike', counted(57, 60));
    const report = { rescores: { outputs: 20, largestDistance: 0.14 } };
    expect(targetLabel('scored_alike', report).of).toBe('re-scores of 20 outputs, within 0.1');
    expect(targetBecause(reading, report)).toBe('3 missed it, largest distance 0.14');
    expect(targetBecause(readTarget('within_three', counted(87, 130)), report)).toBe('the interval reaches the target');
  });
});

describe('reflection compared with fresh drafts', () => {
  const runs = (solved: number, of: number): SpendTrajectory[] =>
    Array.from({ length: of }, (_, at) => ({
      ...{ caseKey: String(at), isScored: true, spent: [1], satisfactory: [at < solved] },
    }));
  const words = (reflection: number, fresh: number, of = 12) => {
    const found = equalCost(runs(reflection, of), runs(fresh, of));
    if (found === null) throw new Error('they have cases in common');
    return equalCostLabel({
      ...found,
      experimentId: ID,
      version: 1,
      name: 'Katas',
      controlId: ID,
      controlVersion: 1,
      unit: 'usd',
    });
  };

  test.each([
    ['better, with sign and label', 12, 0, '▲ Better than fresh drafts.', 'better'],
    ['worse, with sign and label', 0, 12, '▼ Worse than fresh drafts.', 'worse'],
    ['within noise, without a colour', 6, 4, 'Within noise.', undefined],
    ['equal', 5, 5, 'Within noise.', undefined],
  ])('is %s', (_name, reflection, fresh, verdict, tone) => {
    expect(words(reflection, fresh)).toMatchObject({ verdict, tone });
  });

  test('shows the evidence and how many more cases would confirm the difference', () => {
    expect(words(6, 4)).toMatchObject({
      because: 'Only reflection solves 2, and only fresh drafts solve 0 of 12 cases (McNemar p = 0.50).',
      more: expect.stringMatching(/^About \d+ more cases would be needed to confirm a difference of this size\.$/),
    });
    expect(words(3, 0, 5)).toMatchObject({ verdict: 'Too few cases to tell.', tone: undefined });
    expect([formatSpend(0.0111, 'usd'), formatSpend(12_300, 'tokens')]).toEqual(['$0.0111', '12,300 tokens']);
  });
});

describe('betterThreshold', () => {
  const confusion = { bothGood: 38, letThrough: 9, heldBack: 5, neitherGood: 32 };
  const at = (threshold: number, agreed: number) => ({
    threshold,
    bothGood: 0,
    letThrough: 4,
    heldBack: 3,
    neitherGood: 0,
    agreed,
  });
  const found = {
    n: 84,
    confusion,
    agreement: counted(70, 84),
    tooFewToTell: false,
    whatIf: [at(0.7, 71), at(0.85, 77), at(0.95, 77)],
  };

  test('suggests the threshold with the most agreement, nearest to the current one', () => {
    expect(betterThreshold(found, 0.8)).toMatchObject({
      threshold: 0.85,
      sentence: expect.stringContaining(
        '77 of 84 judgements would agree (now 70), with 4 false passes and 3 false failures',
      ),
    });
    expect(betterThreshold(found, 1)?.threshold).toBe(0.95);
  });

  test.each([
    ['the gain is too small', { ...found, whatIf: [at(0.85, 72)] }],
    ['there are too few runs', { ...found, tooFewToTell: true }],
    [
      'all are good',
      { ...found, confusion: { ...confusion, bothGood: 50, heldBack: 34, letThrough: 0, neitherGood: 0 } },
    ],
    ['none is good', { ...found, confusion: { ...confusion, bothGood: 0, heldBack: 0 } }],
  ])('suggests nothing if %s', (_name, other) => {
    expect(betterThreshold(other, 0.8)).toBeNull();
  });
});

describe('costLabel', () => {
  const cost = (name: string, perPointUsd: number | null, solved = 1) => ({
    ...{
      experimentId: ID,
      version: 1,
      name,
      practice: false,
      costUsd: 0.1,
      unpriced: false,
      gain: 1,
      gained: 10,
      perSolvedUsd: 0.01,
    },
    ...{ perPointUsd, solved },
  });
  const report = {
    ended: 20,
    cost: cost('all', 0.002, 10),
    costs: [cost('Katas', 0.0024), cost('Guides', 0.003), cost('Notes', 0.0289, 0), cost('Flat', null)],
  };

  test('names experiments with unusually high cost and counts those without improvement', () => {
    expect(costLabel(report)).toBe(
      'Notes costs 12 times as much per point as Katas and solved no runs. 1 experiment did not improve. A success costs $0.0100 ($0.100 for 10 solved runs).',
    );
    expect(isExpensive(0.0289, [{ perPoint: 0.0289 }])).toBe(false);
  });

  test.each([
    [
      'the most expensive',
      [false, true],
      'Notes costs at least 12 times as much per point as Katas and solved no runs.',
    ],
    ['the cheapest', [true, false], 'Notes costs 10 times as much per point as Guides and solved no runs.'],
  ])('compares with no lower bound as if it were a cost: %s', (_name, [isCheapest, isDearest], expected) => {
    const [katas, guides, notes] = [cost('Katas', 0.0024), cost('Guides', 0.003), cost('Notes', 0.0289, 0)];
    const costs = [{ ...katas, unpriced: isCheapest === true }, guides, { ...notes, unpriced: isDearest === true }];
    expect(costLabel({ ...report, costs })).toContain(expected);
  });

  test('compares nothing if every cost is a lower bound', () => {
    const costs = report.costs.map((one) => ({ ...one, unpriced: true }));
    expect(costLabel({ ...report, costs })).not.toContain('times');
  });

  test('notes unknown costs', () => {
    const unpriced = { ...report, costs: [], cost: { ...report.cost, perSolvedUsd: null, unpriced: true } };
    expect(costLabel(unpriced)).toBe(
      'No run was solved, so there is no cost per success. Some calls have no known price, so actual costs are higher.',
    );
  });

  test('draws no conclusion from costs that are all unknown', () => {
    const unknown = { ...cost('Imported', null, 6), perSolvedUsd: null, costUsd: 0, unpriced: true };
    expect(costLabel({ ended: 8, cost: unknown, costs: [unknown] })).toBe('No call has a known price.');
    const mixed = { ...report, costs: [...report.costs, unknown] };
    expect(costLabel(mixed)).toBe(costLabel(report));
  });
});
