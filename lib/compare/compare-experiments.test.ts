import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { decide } from '#lib/runs/decide.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { recordCalls } from '#lib/runs/journal.ts';
import { type RecordedQuery, recordQueries } from '#lib/testing/record-queries.test-support.ts';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { type ComparisonQuery, compareExperiments, findComparedArms } from './compare-experiments.ts';
import { exportComparison } from './export-comparison.ts';
import { findComparedCase } from './find-compared-case.ts';
import { insertArm, type TestRun } from './insert-arm.test-support.ts';
import { computeArm, findArm } from './queries.ts';
import { comparedCaseSchema, comparisonSchema } from './schema.ts';

const db = useTestDatabase();

function compare(query: Pick<ComparisonQuery, 'arms'> & Partial<ComparisonQuery>) {
  return compareExperiments(testContext(db.database()), {
    baseline: null,
    metric: null,
    show: null,
    offset: 0,
    limit: 50,
    ...query,
  });
}

/** Twelve cases: `high` beats `low` on ten of them by different amounts, and loses none. */
const INPUTS = Array.from({ length: 12 }, (_, at) => `task ${at}`);
const LOW: TestRun[] = INPUTS.map((input) => ({ input, scores: [0.4, 0.5] }));
const HIGH: TestRun[] = INPUTS.map((input, at) => ({ input, scores: [0.4, at < 2 ? 0.5 : 0.6 + at / 100] }));

describe('comparing two experiments', () => {
  test('gives better in one direction and worse in the other, with matching signs', async () => {
    const low = await insertArm(db.database(), { runs: LOW });
    const high = await insertArm(db.database(), { runs: HIGH });
    const there = comparisonSchema.parse(unwrap(await compare({ arms: [low, high] })));
    const back = comparisonSchema.parse(unwrap(await compare({ arms: [low, high], baseline: high })));
    const [up, down] = [there.against[0], back.against[0]];
    expect(there).toMatchObject({ metric: 'score', baseline: `${low.experimentId}@1`, sharedCases: 12, cut: null });
    expect(up).toMatchObject({
      verdict: 'better',
      better: 10,
      worse: 0,
      same: 2,
      pairs: 12,
      arm: `${high.experimentId}@1`,
    });
    expect(down).toMatchObject({ verdict: 'worse', better: 0, worse: 10, same: 2, arm: `${low.experimentId}@1` });
    expect(up?.score.low).toBeGreaterThan(0);
    expect(down?.score.high).toBeLessThan(0);
    expect(down?.score.difference).toBeCloseTo(-(up?.score.difference ?? 0));
    expect([up?.differences.at(0), up?.differences.at(-1)]).toEqual([0, expect.closeTo(0.21)]);
    expect([down?.differences.at(0), down?.differences.at(-1)]).toEqual([expect.closeTo(-0.21), 0]);
  });

  test('lists only cases with the requested change, largest first, in pages', async () => {
    const low = await insertArm(db.database(), { runs: LOW });
    const high = await insertArm(db.database(), { runs: HIGH });
    const show = { arm: null, kind: 'better' } as const;
    const first = unwrap(await compare({ arms: [low, high], show, limit: 4 }));
    expect(first.cases).toMatchObject({ total: 10, nextCursor: '4' });
    expect(first.cases.items.map(({ title }) => title)).toEqual(['task 11', 'task 10', 'task 9', 'task 8']);
    expect(first.cases.items[0]).toMatchObject({
      changes: [
        { kind: 'same', by: 0 },
        { kind: 'better', by: expect.closeTo(0.21) },
      ],
      arms: [
        { runs: 1, score: 0.5, runId: low.runIds[11], scores: [0.4, 0.5] },
        { runs: 1, score: expect.closeTo(0.71), runId: high.runIds[11] },
      ],
    });
    const last = unwrap(await compare({ arms: [low, high], show, offset: 8, limit: 4 }));
    expect(last.cases).toMatchObject({ total: 10, nextCursor: null });
    expect(last.cases.items.map(({ title }) => title)).toEqual(['task 3', 'task 2']);
    const worse = unwrap(await compare({ arms: [low, high], show: { arm: high, kind: 'worse' } }));
    expect(worse.cases).toMatchObject({ total: 0, items: [] });
    const all = unwrap(await compare({ arms: [low, high] }));
    expect(all.cases.items.map(({ title }) => title)).toEqual(INPUTS);
  });

  test('is inconclusive with few shared cases, and lists the others as unpaired', async () => {
    const one = await insertArm(db.database(), { runs: LOW.slice(0, 8) });
    const other = await insertArm(db.database(), { runs: HIGH.slice(4) });
    const compared = unwrap(await compare({ arms: [one, other] }));
    expect(compared.against[0]).toMatchObject({ verdict: 'too_few', pairs: 4, onlyBaseline: 4, onlyArm: 4 });
    expect(compared.sharedCases).toBe(4);
    const unpaired = unwrap(await compare({ arms: [one, other], show: { arm: null, kind: 'unpaired' } }));
    expect(unpaired.cases.items.map(({ arms }) => arms.map((arm) => arm !== null))).toEqual([
      ...Array.from({ length: 4 }, () => [true, false]),
      ...Array.from({ length: 4 }, () => [false, true]),
    ]);
  });

  test('also compares at the smaller number of versions if caps differ', async () => {
    const two = await insertArm(db.database(), { settings: { maxAttempts: 2 }, runs: LOW });
    const three = await insertArm(db.database(), {
      settings: { maxAttempts: 3 },
      runs: INPUTS.map((input) => ({ input, scores: [0.4, 0.5, 0.9] })),
    });
    const compared = unwrap(await compare({ arms: [two, three] }));
    expect(compared.against[0]?.score).toMatchObject({ verdict: 'better', difference: expect.closeTo(0.4) });
    expect(compared.effort).toMatchObject({ hasOtherLimits: true, arms: [{ mostVersions: 2 }, { mostVersions: 3 }] });
    expect(compared.cut).toMatchObject({ versions: 2, against: [{ difference: 0, verdict: 'within_noise' }] });
    expect(compared.arms[1]?.differences).toEqual([{ setting: 'maxAttempts', before: '2', after: '3' }]);
  });
});

test('compares versions of one experiment as separate arms', async () => {
  const first = await insertArm(db.database(), { runs: LOW });
  const { experimentId } = first;
  await insertArm(db.database(), { of: first, version: 2, runs: HIGH });
  await insertArm(db.database(), { of: first, version: 3, runs: [] });
  const arms = [1, 2, 3].map((version) => ({ experimentId, version }));
  const compared = unwrap(await compare({ arms }));
  expect(compared.arms.map(({ version, cases }) => [version, cases])).toEqual([
    [1, 12],
    [2, 12],
    [3, 0],
  ]);
  expect(compared.against.map(({ verdict }) => verdict)).toEqual(['better', 'too_few']);
});

describe('queries of a comparison', () => {
  /** Creates two arms over that many cases, whose runs have ended. */
  async function armsOf(cases: number) {
    const inputs = Array.from({ length: cases }, (_, at) => `task ${at}`);
    const one = await insertArm(db.database(), { runs: inputs.map((input) => ({ input, scores: [0.4, 0.5] })) });
    const other = await insertArm(db.database(), {
      runs: inputs.map((input, at) => ({ input, scores: [0.4, 0.5 + (at % 7) / 20] })),
    });
    return [one, other];
  }

  async function readAgain(cases: number) {
    const arms = await armsOf(cases);
    const query = { arms, baseline: null, metric: null, show: null, offset: 0, limit: 10 };
    const first = unwrap(await compare({ arms, limit: 10 }));
    const { database, recorded } = recordQueries(db.database());
    const again = unwrap(await compareExperiments({ database }, query));
    expect(again).toEqual(first);
    return recorded;
  }

  test('do not grow with the number of unchanged runs', async () => {
    const [few, many] = [await readAgain(40), await readAgain(1_200)];
    expect(many.map(({ name }) => name)).toEqual(few.map(({ name }) => name));
    expect(many).not.toHaveLength(0);
    expect(many.map(({ name }) => name).join()).not.toContain('tokensPerRun');
    const characters = (recorded: RecordedQuery[]) => recorded.reduce((sum, one) => sum + one.characters, 0);
    expect(characters(many)).toBeLessThan(characters(few) * 1.2);
  });
});

describe('a comparison is recomputed', () => {
  const context = () => testContext(db.database());

  async function performed(settings: ExperimentSettingsInput) {
    const runId = await queuedRun(context(), settings, { input: 'What is 3 + 4?', reference: '7' });
    await performRun(testWorkerContext(context()), runId);
    const { experimentId, pauseId } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
    return { runId, arm: { experimentId, version: 1 }, pauseId };
  }

  async function stopped() {
    const run = await performed({ ...PRACTICE_SUMS, callbacks: { pause: 'always' } });
    unwrap(await decide(context(), TESTER, run.runId, { decision: 'stop', pauseId: run.pauseId }));
    return run;
  }

  const LATE: CallEntry = {
    ...{ step: 9, ordinal: 0, fingerprint: 'late', role: 'generate', provider: 'practice', model: 'practice-1' },
    ...{ instructions: '', prompt: 'late', options: { temperature: null, maxOutputTokens: null, output: null } },
    ...{ text: 'late', finishReason: 'stop', failure: null, inputTokens: 10, outputTokens: 5, costUsd: 0.5 },
    ...{ latencyMs: 1, attempts: 1, warnings: [], createdAt: '2026-03-04T05:06:07.000Z' },
  };

  test.each<[string, (runId: string) => Promise<unknown>]>([
    ['a person overrides a score', (runId) => override(runId)],
    ['a call is paid after the end', (runId) => recordCalls(db.database(), { runId, claim: null }, [LATE])],
    ['a run is deleted', (runId) => deleteRun(context(), TESTER, runId)],
    ['a run continues', async (runId) => unwrap(await resumeRun(context(), TESTER, runId))],
  ])('when %s', async (_what, change) => {
    const { runId, arm } = await stopped();
    const other = await insertArm(db.database(), { runs: LOW });
    await compare({ arms: [arm, other] });
    const before = await findArm(db.database(), arm);
    await change(runId);
    const after = await findArm(db.database(), arm);
    expect(after?.stamp).not.toBe(before?.stamp);
    const { cases } = await computeArm(db.database(), arm);
    expect(after?.cases).toEqual(cases);
    const compared = unwrap(await compare({ arms: [arm, other] }));
    expect(compared.arms[0]).toMatchObject({ cases: cases.length, costUsd: cases[0]?.costUsd ?? 0 });
    expect(compared.cases.total).toBe(cases.length + LOW.length);
  });

  async function override(runId: string) {
    unwrap(
      await decide(context(), TESTER, runId, { decision: 'override', version: 0, score: 0.3, reason: 'not quite' }),
    );
  }
});

describe('a comparison is rejected', () => {
  test.each([
    ['with a deleted experiment', (id: string) => [{ experimentId: id, version: null }, GONE], 'experimentIds'],
    [
      'with an unknown version',
      (id: string) => [
        { experimentId: id, version: 1 },
        { experimentId: id, version: 7 },
      ],
      'experimentIds',
    ],
    [
      'with the same settings twice',
      (id: string) => [
        { experimentId: id, version: 1 },
        { experimentId: id, version: null },
      ],
      'experimentIds',
    ],
  ])('%s', async (_name, arms, field) => {
    const { experimentId } = await insertArm(db.database(), { runs: LOW });
    const refused = await compare({ arms: arms(experimentId) });
    expect(refused).toMatchObject({ ok: false, problem: { field } });
  });

  test('with tuned prompts, and for a baseline or arm that is not compared', async () => {
    const one = await insertArm(db.database(), { runs: LOW });
    const other = await insertArm(db.database(), { runs: HIGH });
    const tuned = await insertArm(db.database(), {
      settings: { mode: 'tune', prompts: { generate: 'Answer {{input}}' } },
      runs: [],
    });
    expect(await compare({ arms: [one, tuned] })).toMatchObject({ ok: false, problem: { field: 'experimentIds' } });
    expect(await compare({ arms: [one, other], baseline: tuned })).toMatchObject({ problem: { field: 'baseline' } });
    expect(await compare({ arms: [one, other], show: { arm: one, kind: 'worse' } })).toMatchObject({
      problem: { field: 'arm' },
    });
  });
});

const GONE = { experimentId: '00000000-0000-4000-8000-000000000000', version: null };

test("case details show each arm's output and criterion scores, or that it did not run", async () => {
  const one = await insertArm(db.database(), { runs: LOW });
  const other = await insertArm(db.database(), { runs: HIGH.slice(0, 3) });
  const { cases } = unwrap(await compare({ arms: [one, other] }));
  const look = async (index: number) =>
    comparedCaseSchema.parse(
      unwrap(
        await findComparedCase(testContext(db.database()), {
          arms: [one, other],
          baseline: null,
          caseKey: cases.items[index]?.caseKey ?? '',
        }),
      ),
    );
  expect(await look(2)).toMatchObject({
    input: 'task 2',
    arms: [
      { runs: [{ score: 0.5 }], result: { output: 'Answer 1 to task 2', score: 0.5, version: 1 } },
      {
        result: {
          score: expect.closeTo(0.62),
          criteria: [{ name: 'right', threshold: 0.7, score: expect.closeTo(0.62) }],
        },
      },
    ],
  });
  expect((await look(3)).arms[1]).toMatchObject({ runs: [], result: null });
  const nowhere = await findComparedCase(testContext(db.database()), {
    arms: [one, other],
    baseline: null,
    caseKey: 'none',
  });
  expect(nowhere).toMatchObject({ ok: false, problem: { code: 'not_found' } });
});

test('exports all cases as a table and escapes formulas', async () => {
  const one = await insertArm(db.database(), { name: '=HYPERLINK("x")', runs: LOW.slice(0, 3) });
  const other = await insertArm(db.database(), { runs: [...HIGH.slice(1, 3), { input: '=1+1', scores: [null] }] });
  const context = testContext(db.database());
  const query = { arms: [one, other], baseline: null, metric: null };
  const { type, name, chunks } = unwrap(await exportComparison(context, query));
  expect([type, name]).toEqual(['text/csv; charset=utf-8; header=present', 'comparison.csv']);
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('utf8');
  const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
  expect(data.map((row) => [row.case, row.is_baseline, row.best_score, row.change, row.difference])).toEqual([
    ['task 0', 'true', '0.5', '', ''],
    ['task 1', 'true', '0.5', '', ''],
    ['task 1', 'false', '0.5', 'same', '0'],
    ['task 2', 'true', '0.5', '', ''],
    ['task 2', 'false', '0.62', 'better', '0.12'],
    ["'=1+1", 'false', '', 'unpaired', ''],
  ]);
  expect(data.map((row) => [row.runs, row.judged_runs, row.solved_share])).toEqual([
    ...Array.from({ length: 5 }, () => ['1', '1', '0']),
    ['1', '0', ''],
  ]);
  expect(data[0]?.experiment).toBe(`'=HYPERLINK("x")`);
});

test('names the latest version of an experiment that lacks a version', async () => {
  const one = await insertArm(db.database(), { runs: LOW.slice(0, 3) });
  const other = await insertArm(db.database(), { name: 'Terse', runs: HIGH.slice(0, 3) });
  const compare = (arms: { experimentId: string; version: number | null }[]) =>
    findComparedArms(testContext(db.database()), arms, null);
  expect(await compare([one, { ...other, version: 7 }])).toMatchObject({
    ok: false,
    problem: { code: 'not_found', message: 'The experiment “Terse” has no version 7. Its latest version is 1.' },
  });
  const experimentId = '00000000-0000-4000-8000-000000000000';
  expect(await compare([one, { experimentId, version: 7 }])).toMatchObject({
    problem: { message: `There is no experiment ${experimentId}@7. It may have been deleted.` },
  });
});
