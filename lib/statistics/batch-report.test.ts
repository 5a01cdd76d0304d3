import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { batchReportSchema, costPerPoint, type RunOutcome, reportBatch } from './batch-report.ts';
import { wilsonInterval } from './intervals.ts';

let nextCase = 0;

/** Returns a run from the result of each version: "-+" failed first, then passed. */
function run(marks: string, more: Partial<RunOutcome> = {}, caseNumber = nextCase++): RunOutcome {
  const satisfactory = [...marks].map((mark) => mark === '+');
  const scores = satisfactory.map((good) => (good ? 1 : 0));
  const bestScore = scores.length === 0 ? null : Math.max(...scores);
  return {
    caseKey: String(caseNumber),
    ended: true,
    stopReason: 'quality_met',
    satisfactory,
    firstScore: scores[0] ?? null,
    bestScore,
    inputTokens: 10,
    outputTokens: 5,
    costUsd: 0.01,
    unpriced: false,
    ...more,
  };
}

describe('curves of a batch', () => {
  test.each<[string, string[], number[], number[]]>([
    ['no runs', [], [], []],
    ['runs without a version yet', ['', ''], [], []],
    ['a run solved by its first version', ['+'], [1], [1]],
    ['a run solved by a later version', ['--+'], [0, 0, 1], [0, 0, 1]],
    ['a run that ended early keeps its last state', ['+', '--+'], [1, 1, 2], [1, 1, 2]],
    ['a run that ended early stays unsolved', ['-', '--+'], [0, 0, 1], [0, 0, 1]],
    ['a run that was solved and got worse stays solved but is not current', ['-+-'], [0, 1, 1], [0, 1, 0]],
    ['a run that got worse and ended early', ['+-', '---'], [1, 1, 1], [1, 0, 0]],
    ['a run without a version next to others', ['', '-+'], [0, 1], [0, 1]],
    ['several runs', ['+', '-+', '--+', '---'], [1, 2, 3], [1, 2, 3]],
  ])('%s', (_name, marks, solvedByIteration, currentByIteration) => {
    const report = reportBatch(marks.map((mark) => run(mark)));
    expect(report).toMatchObject({ solvedByIteration, currentByIteration, total: marks.length });
    expect(report.solved).toBe(marks.filter((mark) => mark.includes('+')).length);
  });

  /** Shinn et al. 2023, HotPotQA with context: 100 questions, up to eight attempts. */
  test('the published Reflexion run: each point has n and a Wilson interval', () => {
    const solvedAtAttempt = [61, 8, 0, 1, 2, 2, 1, 0];
    const solved = solvedAtAttempt.flatMap((count, earlier) =>
      Array.from({ length: count }, () => run(`${'-'.repeat(earlier)}+`)),
    );
    const unsolved = Array.from({ length: 25 }, () => run('--------', { stopReason: 'max_iterations' }));
    const report = reportBatch([...solved, ...unsolved]);
    expect(report.solvedByIteration).toEqual([61, 69, 69, 70, 72, 74, 75, 75]);
    expect(report.currentByIteration).toEqual([61, 69, 69, 70, 72, 74, 75, 75]);
    expect(report.solveCurve.map(({ n }) => n)).toEqual(Array.from({ length: 8 }, () => 100));
    const last = report.solveCurve.at(-1)?.ever;
    expect(last).toMatchObject({ share: 0.75 });
    expect(last?.low).toBeCloseTo(0.657, 3);
    expect(last?.high).toBeCloseTo(0.8245, 3);
  });

  test('the solve curve never falls, ends with all solved runs, and bounds the current curve', () => {
    const marks = fc.array(fc.string({ unit: fc.constantFrom('+', '-'), maxLength: 6 }), { maxLength: 12 });
    fc.assert(
      fc.property(marks, (given) => {
        const report = reportBatch(given.map((mark) => run(mark)));
        const { solvedByIteration: solved, currentByIteration: current } = report;
        expect([...solved].sort((one, other) => one - other)).toEqual(solved);
        if (solved.length > 0) expect(solved.at(-1)).toBe(report.solved);
        expect(current.every((count, position) => count <= (solved[position] ?? 0))).toBe(true);
        expect(batchReportSchema.parse(report)).toEqual(report);
      }),
    );
  });
});

describe('several runs per case', () => {
  test('count individually in curves, and as correlated in intervals', () => {
    const alike = [run('-+', {}, 0), run('-+', {}, 0), run('--', {}, 1), run('--', {}, 1)];
    const report = reportBatch(alike);
    const once = wilsonInterval(1, 2);
    expect(report).toMatchObject({
      total: 4,
      cases: 2,
      solvedByIteration: [0, 2],
      solvedShare: { solved: 2, n: 4, ...once },
    });
    expect(report.solveCurve[1]).toEqual({
      version: 1,
      n: 4,
      ever: { solved: 2, ...once },
      current: { solved: 2, ...once },
    });
  });

  test('runs in progress count in curves but not in the solved share', () => {
    const report = reportBatch([run('+'), run('-'), run('+', { ended: false })]);
    expect(report.solvedShare).toEqual({ solved: 1, n: 2, ...wilsonInterval(1, 2) });
    expect(report.solveCurve[0]?.ever).toEqual({ solved: 2, ...wilsonInterval(2, 3) });
    expect(reportBatch([run('-', { ended: false })]).solvedShare).toBeNull();
  });
});

describe('stopped runs', () => {
  test('count up to their last version, and not if nothing was judged', () => {
    const stopped = { stopReason: 'user_stopped' };
    const report = reportBatch([run('+'), run('-', stopped), run('', stopped), run('', stopped)]);
    expect(report).toMatchObject({ total: 4, ended: 4, solvedShare: { solved: 1, n: 2, ...wilsonInterval(1, 2) } });
    expect(report.solveCurve).toEqual([
      {
        version: 0,
        n: 2,
        ever: { solved: 1, ...wilsonInterval(1, 2) },
        current: { solved: 1, ...wilsonInterval(1, 2) },
      },
    ]);
    expect(reportBatch([run('', stopped)]).solvedShare).toBeNull();
  });
});

test('counts runs of one case as dependent in the share that a stop rule ended', () => {
  const ended = (caseNumber: number, stopReason: string) =>
    Array.from({ length: 5 }, () => run('-+', { stopReason }, caseNumber));
  const cases = [ended(-1, 'quality_met'), ended(-2, 'plateau'), ended(-3, 'plateau'), ended(-4, 'max_iterations')];
  expect(reportBatch(cases.flat()).endedByRule).toMatchObject({ met: 15, n: 20, ...wilsonInterval(3, 4) });
});

describe('unscored runs', () => {
  test.each(['experiment_budget', 'month_budget', 'evaluation_failed', 'model_failed', 'max_iterations'])(
    'count separately from solved and unsolved runs: %s',
    (stopReason) => {
      const unscored = { stopReason, firstScore: null, bestScore: null };
      const report = reportBatch([run('+'), run('-'), run('', unscored), run('--', unscored)]);
      expect(report).toMatchObject({
        ended: 4,
        unscored: 2,
        solvedShare: { solved: 1, n: 2, ...wilsonInterval(1, 2) },
        endedByRule: { met: 2, n: 2 },
      });
      expect(report.solveCurve.map(({ n }) => n)).toEqual([2]);
      expect(reportBatch([run('', unscored), run('0', unscored)])).toMatchObject({
        unscored: 2,
        solvedShare: null,
        solveCurve: [],
        endedByRule: null,
      });
    },
  );

  test('a budget stop with a scored version counts as a cap; a running run counts once scored', () => {
    const underWay = { ended: false, stopReason: null };
    const report = reportBatch([run('-', { stopReason: 'experiment_budget' }), run('', underWay), run('+', underWay)]);
    expect(report).toMatchObject({ unscored: 0, endedByRule: { met: 0, n: 1 }, solvedShare: { solved: 0, n: 1 } });
    expect(report.solveCurve).toMatchObject([{ n: 2, ever: { solved: 1 } }]);
  });
});

describe('totals of a batch', () => {
  test('means exclude unscored runs and include n', () => {
    const report = reportBatch([
      run('-+', { firstScore: 0.2, bestScore: 0.9 }),
      run('-', { firstScore: null, bestScore: null }),
      run('-', { firstScore: 0.4, bestScore: 0.4 }),
    ]);
    expect(report.firstScore?.mean).toBeCloseTo(0.3, 12);
    expect(report.firstScore?.n).toBe(2);
    expect(report.bestScore?.mean).toBeCloseTo(0.65, 12);
    expect(report.bestScore?.n).toBe(2);
    expect(reportBatch([run('', { firstScore: null })]).firstScore).toBeNull();
  });

  test('the gain counts only runs whose first version has a score', () => {
    const report = reportBatch([
      run('-+', { firstScore: 0.6, bestScore: 0.9 }),
      run('-', { firstScore: null, bestScore: 0.2 }),
      run('', { firstScore: null, bestScore: null }),
    ]);
    expect(report.gain).toEqual({ mean: expect.closeTo(0.3, 12), n: 1 });
    expect(costPerPoint(report)).toBeCloseTo(report.costUsd / 3, 12);
    expect(reportBatch([run('-', { firstScore: null, bestScore: 0.2 })]).gain).toBeNull();
  });

  test('sums tokens, cost, stop reasons and ended runs', () => {
    const running = run('-', { ended: false, stopReason: null });
    expect(
      reportBatch([
        run('+'),
        run('-', { stopReason: 'plateau' }),
        run('-', { stopReason: 'plateau', unpriced: true, costUsd: 0 }),
        running,
      ]),
    ).toMatchObject({
      total: 4,
      ended: 3,
      stopReasons: { quality_met: 1, plateau: 2 },
      tokenUsage: { input: 40, output: 20, total: 60 },
      costUsd: 0.03,
      unpriced: true,
    });
  });
});
