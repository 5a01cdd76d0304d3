import { describe, expect, test } from 'vitest';
import { findRunResult } from '#lib/runs/queries.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { insertArm } from './insert-arm.test-support.ts';
import { computeArm, findArm, listArmRuns, listCutArmCases } from './queries.ts';

const db = useTestDatabase();

describe('cases of an arm', () => {
  test('average ended runs, ignore branches and running runs, and leave unscored runs empty', async () => {
    const arm = await insertArm(db.database(), {
      runs: [
        { input: 'twice', scores: [0.5, 1], costUsd: 0.02 },
        { input: 'never scored', scores: [null], status: 'failed' },
        { input: 'twice', scores: [0.4, 0.6], costUsd: 0.04 },
        { input: 'twice', scores: [null], status: 'stopped', costUsd: 0.03 },
        { input: 'twice', scores: [0], status: 'running' },
        { input: 'twice', scores: [0], isBranch: true },
        { input: 'twice', scores: [1], metadata: { other: 'case' } },
        { input: 'accepted unscored', scores: [null], success: true },
      ],
    });
    const { cases } = await computeArm(db.database(), arm);
    expect(cases.map(({ caseKey: _caseKey, ...rest }) => rest)).toEqual([
      {
        runs: 3,
        judged: 2,
        solved: expect.closeTo(1 / 2),
        score: expect.closeTo(0.8),
        costUsd: expect.closeTo(0.03),
      },
      { runs: 1, judged: 0, solved: null, score: null, costUsd: 0.01 },
      { runs: 1, judged: 1, solved: 1, score: 1, costUsd: 0.01 },
      { runs: 1, judged: 1, solved: 1, score: null, costUsd: 0.01 },
    ]);
    const runs = await listArmRuns(db.database(), arm, [cases[0]?.caseKey ?? '']);
    expect(new Set(runs.map(({ title }) => title))).toEqual(new Set(['twice']));
    expect(runs.map(({ id, scores, bestScore }) => [id, scores, bestScore])).toEqual([
      [arm.runIds[0], [0.5, 1], 1],
      [arm.runIds[2], [0.4, 0.6], 0.6],
      [arm.runIds[3], [null], null],
    ]);
  });

  test('have the same key in every experiment, and different keys for different tasks', async () => {
    const one = await insertArm(db.database(), { runs: [{ input: 'a', scores: [1] }] });
    const other = await insertArm(db.database(), {
      runs: [
        { input: 'b', scores: [1] },
        { input: 'a', scores: [0] },
      ],
    });
    const [mine] = (await computeArm(db.database(), one)).cases;
    const theirs = await computeArm(db.database(), other);
    expect(theirs.cases.map(({ caseKey }) => caseKey === mine?.caseKey)).toEqual([false, true]);
  });

  test('are scored by the first versions only if capped; shorter runs are unchanged', async () => {
    const arm = await insertArm(db.database(), {
      runs: [
        { input: 'late', scores: [0.2, 0.5, 1] },
        { input: 'early', scores: [0.2, 1] },
        { input: 'accepted by a person', scores: [0.4, 0.6], success: true },
        { input: 'scored late', scores: [null, null, 1] },
      ],
    });
    const cut = await listCutArmCases(db.database(), arm, 2);
    expect(cut?.map(({ solved, score }) => [solved, score])).toEqual([
      [0, 0.5],
      [1, 1],
      [1, 0.6],
      [null, null],
    ]);
    const whole = await listCutArmCases(db.database(), arm, 3);
    expect(whole?.map(({ solved, score }) => [solved, score])).toEqual([
      [1, 1],
      [1, 1],
      [1, 0.6],
      [1, 1],
    ]);
  });

  test('are not capped until every run is measured', async () => {
    const arm = await insertArm(db.database(), {
      runs: [
        { input: 'a', scores: [0.2, 1] },
        { input: 'b', scores: [0.2, 1], unmeasured: true },
      ],
    });
    expect(await listCutArmCases(db.database(), arm, 1)).toBeNull();
    const [, second] = (await computeArm(db.database(), arm)).cases;
    const runs = await listArmRuns(db.database(), arm, [second?.caseKey ?? '']);
    expect(runs.map(({ scores }) => scores)).toEqual([[0.2, 1]]);
  });
});

describe('an arm', () => {
  test('without a version resolves to the latest version with ended runs', async () => {
    const first = await insertArm(db.database(), { runs: [{ input: 'a', scores: [1] }] });
    const { experimentId } = first;
    await insertArm(db.database(), { of: first, version: 2, runs: [{ input: 'a', scores: [0], status: 'failed' }] });
    await insertArm(db.database(), { of: first, version: 3, runs: [{ input: 'a', scores: [0], status: 'running' }] });
    const newest = await findArm(db.database(), { experimentId, version: null });
    expect(newest).toMatchObject({ version: 2, ended: 1, failed: 1, underWay: 0, tokensPerRun: 100 });
    const third = await findArm(db.database(), { experimentId, version: 3 });
    expect(third).toMatchObject({ version: 3, ended: 0, underWay: 1, tokensPerRun: null });
  });

  test.each([
    ['version', true, 9],
    ['experiment', false, null],
  ])('is null for an unknown %s', async (_what, isThere, version) => {
    const { experimentId } = await insertArm(db.database(), { runs: [] });
    const id = isThere ? experimentId : crypto.randomUUID();
    expect(await findArm(db.database(), { experimentId: id, version })).toBeNull();
  });
});

test("the result of a run is its best version with the reviewer's score before the machine's", async () => {
  const { runIds } = await insertArm(db.database(), { runs: [{ input: 'a', scores: [0.2, 0.9, 0.4] }] });
  const [id = ''] = runIds;
  expect(await findRunResult(db.database(), id)).toMatchObject({
    version: 1,
    output: 'Answer 1 to a',
    score: 0.9,
    criteriaScores: { right: 0.9 },
  });
  await db.database().pool.query(
    `INSERT INTO evaluations (run_id, ordinal, version, by, actor, status, overall_score, criteria_scores, reasons, satisfactory, issues, suggestions,
       feedback, detail, input_tokens, output_tokens, duration_ms, step, created_at)
     VALUES ($1, 5, 1, 'person', 'Ada', 'scored', 0.3, '{"right": 0.3}', '{"right": "not so"}', false, '[]', '{}', '', '', 0, 0, 0, 9, now())`,
    [id],
  );
  expect(await findRunResult(db.database(), id)).toMatchObject({
    score: 0.3,
    criteriaScores: { right: 0.3 },
    reasons: { right: 'not so' },
  });
  await db
    .database()
    .pool.query(`UPDATE runs SET convergence_reason = 'user_accepted', final_version = 2 WHERE id = $1`, [id]);
  expect(await findRunResult(db.database(), id)).toMatchObject({ version: 2, score: 0.4 });
  expect(await findRunResult(db.database(), crypto.randomUUID())).toBeNull();
});
