import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stopBatch } from '#lib/batches/resume-batch.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { insertArm } from '#lib/compare/insert-arm.test-support.ts';
import { STOP_REASONS, stopReason } from '#lib/core/stop-reasons.ts';
import type { Database } from '#lib/database/database.ts';
import { importRuns } from '#lib/exchange/import-runs.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { countExperiments } from '#lib/experiments/queries.ts';
import { listInbox } from '#lib/inbox/queries.ts';
import { type InsightFilter, insightScope } from '#lib/insights/find-insights.ts';
import { insightsSums } from '#lib/insights/find-insights-sums.ts';
import { findReviewers } from '#lib/insights/queries.ts';
import { rowsRead } from '#lib/testing/rows-read.test-support.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listBatches } from './batches.ts';
import { decide } from './decide.ts';
import { deleteRun } from './delete-run.ts';
import { countSettledRuns, measureRuns, RUN_AMOUNTS, totalsOf } from './run-measures.ts';

const db = useTestDatabase();
const shop = () => testContext(db.database());
const ALL: InsightFilter = { experimentId: null, models: 'all', days: null };
const ME = { actorId: 'me', actorName: 'Me', windowId: null };
const LATER = () => new Date(Date.now() + 600_000);

/** Returns the amounts of each settings version by experiment, from `source` (the totals or all runs). */
async function amounts(source: string): Promise<unknown[]> {
  const sums = RUN_AMOUNTS.map((amount) => `sum(t.${amount})::float8 AS ${amount}`).join(', ');
  const { rows } = await db.database().pool.query<Record<string, unknown>>(
    `SELECT x.name, x.id, t.experiment_version, ${sums} FROM experiments x CROSS JOIN LATERAL ${source} t
     GROUP BY x.id, t.experiment_version HAVING sum(t.runs) <> 0 ORDER BY x.id, t.experiment_version`,
  );
  return rows;
}

async function expectRight(): Promise<void> {
  expect(await amounts(totalsOf('x.id', RUN_AMOUNTS))).toEqual(
    await amounts('(SELECT * FROM run_amounts() WHERE experiment_id = x.id)'),
  );
}

/** Checks the totals before and after all runs are counted, and the number of runs left to count. */
async function expectCounted(uncounted: number): Promise<void> {
  await expectRight();
  while ((await countSettledRuns(db.database(), LATER())) > 0);
  await expectRight();
  const { rows } = await db.database().pool.query<{ left: number; repeated: number }>(
    `SELECT (SELECT count(*)::int FROM uncounted_runs) AS left,
       (SELECT count(*)::int - count(DISTINCT (experiment_id, experiment_version))::int FROM run_totals) AS repeated`,
  );
  expect(rows[0]).toEqual({ left: uncounted, repeated: 0 });
}

async function started(settings: object, count: number) {
  const { id } = unwrap(await createExperiment(shop(), TESTER, { name: `Of ${count}`, ...settings }));
  const cases = Array.from({ length: count }, (_, at) => ({
    input: `What is ${at} + 1${at} × 6? Answer as Finish[number].`,
    reference: String(at + (10 + at) * 6),
  }));
  const batch = unwrap(await startBatch(shop(), TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
  return { id, ...batch };
}

describe('run totals match the run rows', () => {
  test('while runs are queued, performed, finished, failed, stopped, resumed and overridden', async () => {
    const { batchId, runIds } = await started(PRACTICE_SUMS, 6);
    const [first = '', second = '', third = ''] = runIds;
    await expectCounted(6);
    for (const runId of [first, second]) await performRun(testWorkerContext(shop()), runId);
    await expectCounted(4);
    await db.database().prisma.run.update({
      where: { id: third },
      data: { status: 'failed', convergenceReason: 'model_failed', finishedAt: new Date() },
    });
    unwrap(await stopBatch(shop(), TESTER, batchId));
    await expectCounted(0);
    unwrap(await resumeRun(shop(), TESTER, third));
    await expectCounted(1);
    await performRun(testWorkerContext(shop()), third);
    unwrap(await decide(shop(), TESTER, first, { decision: 'override', version: 0, score: 0.01, reason: 'wrong' }));
    await expectCounted(0);
    // An ended run whose measures are recomputed, as after an upgrade, and whose cost was corrected.
    await db.database().pool.query('DELETE FROM run_measures WHERE run_id = $1', [second]);
    await expectCounted(0);
    expect(await measureRuns(shop(), new AbortController().signal)).toBeGreaterThan(0);
    await db.database().pool.query('UPDATE runs SET cost_usd = cost_usd + 1.5 WHERE id = $1', [second]);
    await expectCounted(0);
  });

  test('while a run waits for a person and continues', async () => {
    const criteria = [
      ...(PRACTICE_WRITING.criteria ?? []),
      { name: 'taste', evaluator: 'human', config: { question: 'Good?' } },
    ];
    const { id, runIds } = await started({ ...PRACTICE_WRITING, criteria }, 2);
    const [first = ''] = runIds;
    await performRun(testWorkerContext(shop()), first);
    const { pauseId, status } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: first } });
    expect(status).toBe('waiting');
    // A waiting run may be answered soon, so it is counted only after a delay.
    await countSettledRuns(db.database(), new Date());
    expect(await db.database().prisma.uncountedRun.count({ where: { runId: first } })).toBe(1);
    await expectCounted(1);
    unwrap(await decide(shop(), TESTER, first, { decision: 'score', pauseId, score: 0.9 }));
    await expectCounted(2);
    await performRun(testWorkerContext(shop()), first);
    await expectCounted(1);
    unwrap(await deleteExperiment(shop(), TESTER, id));
    await expectCounted(0);
  });

  test('after runs and experiments are deleted and past runs are imported', async () => {
    const { id, runIds } = await started(PRACTICE_SUMS, 3);
    const [first = '', second = ''] = runIds;
    await performRun(testWorkerContext(shop()), first);
    await expectCounted(2);
    unwrap(await deleteRun(shop(), TESTER, first));
    unwrap(await deleteRun(shop(), TESTER, second));
    await expectCounted(1);
    unwrap(await deleteExperiment(shop(), TESTER, id));
    await expectCounted(0);
    const line = { run: 'r', case: { id: 'a', input: '1 + 1', reference: '2' }, attempt: 1, output: '3', solved: true };
    async function* bytes() {
      yield Buffer.from(JSON.stringify({ ...line, costUsd: 0.1 }));
    }
    const options = { name: null, solvedFrom: 0.8, dryRun: false };
    unwrap(await importRuns(shop(), TESTER, bytes(), options));
    await expectCounted(0);
  });

  test('while runs change during counting', async () => {
    const { runIds } = await insertArm(db.database(), { runs: Array.from({ length: 40 }, (_, at) => run(at)) });
    const { pool } = db.database();
    await Promise.all([
      ...[0, 1, 2, 3].map(async (worker) => {
        for (const [index, id] of runIds.entries()) {
          if (index % 4 !== worker) continue;
          await pool.query(`UPDATE runs SET status = 'queued', finished_at = NULL WHERE id = $1`, [id]);
          if (index % 3 === 0) await pool.query('DELETE FROM run_measures WHERE run_id = $1', [id]);
          await pool.query(`UPDATE runs SET status = 'finished', best_score = 0.3, finished_at = now() WHERE id = $1`, [
            id,
          ]);
          if (index % 5 === 0) await pool.query('DELETE FROM runs WHERE id = $1', [id]);
        }
      }),
      ...[0, 1].map(async () => {
        for (let round = 0; round < 20; round++) await countSettledRuns(db.database(), LATER());
      }),
    ]);
    await expectCounted(0);
  });
});

describe('insights', () => {
  test('match between the totals and the runs', async () => {
    const { database } = db;
    await insertArm(database(), { name: 'Not counted yet', runs: [run(1), run(2), run(6)] });
    await database().pool.query('UPDATE runs SET finished_at = created_at WHERE finished_at IS NULL');
    const arms = await insightScope(database(), ALL, new Date());
    expect(arms.arms.length).toBeGreaterThan(1);
    const ever = await insightsSums(database(), { ...arms, since: null });
    const counted = await insightsSums(database(), { ...arms, since: new Date(0) });
    expect(rounded(ever)).toEqual(rounded(counted));
  });
});

function run(at: number) {
  return { input: `case ${at}`, scores: [0.2, at % 3 === 0 ? 1 : 0.4], costUsd: 0.01 * at, isBranch: at % 7 === 6 };
}

/** Rounds numbers, because floating-point sums depend on the order of addition. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member) => (typeof member === 'number' ? Number(member.toFixed(9)) : member)),
  );
}

test('every stop reason counts as a rule, a limit or neither', async () => {
  const { experimentId, runIds } = await insertArm(db.database(), {
    runs: STOP_REASONS.map((reason) => ({ input: reason, scores: [0.5] })),
  });
  await measureRuns(shop(), new AbortController().signal);
  await db
    .database()
    .pool.query(
      'UPDATE runs SET convergence_reason = u.reason FROM unnest($1::uuid[], $2::text[]) AS u(id, reason) WHERE runs.id = u.id',
      [runIds, STOP_REASONS],
    );
  const { rows } = await db.database().pool.query(
    `SELECT r.convergence_reason AS reason, a.ended_by_rule_met = 1 AS "isRule", a.ended_by_rule_of = 1 AS "isCounted"
     FROM run_amounts() a JOIN runs r ON r.id = a.run_id WHERE a.experiment_id = $1 ORDER BY r.position`,
    [experimentId],
  );
  const expected = STOP_REASONS.map((reason) => {
    const { kind } = stopReason(reason);
    return { reason, isRule: kind === 'rule', isCounted: kind !== null };
  });
  expect(rows).toEqual(expected);
});

test('an upgrade counts the runs that had ended at their limit of tries', async () => {
  const { experimentId } = await insertArm(db.database(), {
    runs: [0.2, 0.4, 0.6].map((score) => ({ input: `scored ${score}`, scores: [score] })),
  });
  const { pool } = db.database();
  await pool.query(`UPDATE runs SET convergence_reason = 'try_limit' WHERE experiment_id = $1`, [experimentId]);
  await measureRuns(shop(), new AbortController().signal);
  while ((await countSettledRuns(db.database(), LATER())) > 0);
  // As counted by the earlier function.
  await pool.query('UPDATE run_totals SET ended_by_rule_of = 0 WHERE experiment_id = $1', [experimentId]);
  await expect(expectRight()).rejects.toThrow();
  const [file = ''] = globSync('prisma/migrations/*_recount_try_limits/migration.sql');
  await pool.query(readFileSync(file, 'utf8'));
  await expectRight();
});

// Comes last, because it adds so many runs that measuring them takes long.
describe('rows read do not grow with the number of ended runs', () => {
  async function grown(runs: number): Promise<void> {
    for (let arm = 0; arm < 3; arm++)
      await insertArm(db.database(), { name: `Grown ${arm}`, runs: Array.from({ length: runs }, (_, at) => run(at)) });
    const { pool } = db.database();
    // The runs of one experiment are in batches of one.
    const alone = `FROM runs WHERE experiment_id = (SELECT id FROM experiments WHERE name = 'Grown 1')`;
    await pool.query(
      `INSERT INTO batches (id, experiment_id, experiment_version, total) SELECT id, experiment_id, experiment_version, 1 ${alone}`,
    );
    await pool.query(`UPDATE runs SET batch_id = id, position = 0 WHERE id IN (SELECT id ${alone})`);
    while ((await countSettledRuns(db.database(), LATER())) > 0);
    await pool.query('VACUUM ANALYZE');
  }
  const works: Record<string, (database: Database) => Promise<unknown>> = {
    'the list of experiments': (database) => listExperiments(database, { cursor: null, limit: 10, search: 'Grown' }),
    'the list of experiments by success': (database) =>
      listExperiments(database, { cursor: null, limit: 10, search: 'Grown', sort: 'success' }),
    'the experiments in which runs wait': (database) => countExperiments(database),
    'the choices of insights': (database) => insightScope(database, ALL, new Date()),
    insights: async (database) =>
      insightsSums(database, { ...(await insightScope(db.database(), ALL, new Date())), since: null }),
    'the batches of an experiment': async (database) => {
      const { id } = await db.database().prisma.experiment.findFirstOrThrow({ where: { name: 'Grown 1' } });
      return listBatches(database, id);
    },
    reviewers: (database) => findReviewers(database, { experimentId: null }),
    'the inbox': (database) => listInbox(database, { scope: 'all', cursor: null, limit: 50 }, ME, new Date()),
  };

  test('for experiments, insights, reviewers and the inbox', async () => {
    await grown(60);
    const before = await Promise.all(Object.values(works).map((work) => rowsRead(db.database(), work)));
    await db.database().pool.query(`DELETE FROM experiments WHERE name LIKE 'Grown %'`);
    await grown(900);
    const after = await Promise.all(Object.values(works).map((work) => rowsRead(db.database(), work)));
    for (const [index, name] of Object.keys(works).entries())
      expect(after[index], name).toBeLessThan((before[index] ?? 0) * 1.5 + 50);
  });
});
