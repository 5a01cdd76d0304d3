import { expect, test } from 'vitest';
import { PRACTICE_SUMS, queuedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { loadRun } from './load-run.ts';

const db = useTestDatabase();

test('loads automatic and human decisions in order, including rows stored by an older Hone', async () => {
  const context = testContext(db.database());
  const runId = await queuedRun(
    context,
    { ...PRACTICE_SUMS, callbacks: { pause: 'always' } },
    { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' },
  );
  const load = async () => {
    const stored = await loadRun(db.database(), runId);
    if (stored === null) throw new Error('no run');
    return stored.history;
  };
  for (let pauses = 0; pauses < 2; pauses++) {
    await performRun(testWorkerContext(context), runId);
    const pauseId = (await load()).pause?.pauseId;
    unwrap(await decide(context, TESTER, runId, { decision: 'auto', pauseId }));
  }
  const { decisions } = await load();
  expect(decisions.map(({ by }) => by)).toEqual(['person', 'policy', 'person']);

  const { pool } = db.database();
  const [, rule] = decisions;
  await pool.query('UPDATE decisions SET ordinal = 3 WHERE run_id = $1 AND ordinal = 2', [runId]);
  await pool.query(
    `INSERT INTO decisions (run_id, ordinal, hook, version, iteration, decision, by, step, at)
     VALUES ($1, 2, 'onReflection', $2, $3, 'continue', 'policy', $4, $5)`,
    [runId, rule?.version, rule?.iteration, rule?.step, rule?.at],
  );
  await pool.query(`UPDATE runs SET policy_lines = '' WHERE id = $1`, [runId]);
  expect((await load()).decisions).toEqual(decisions);

  const earlier = JSON.stringify([rule?.version, rule?.iteration, 'continue', null, rule?.step, rule?.at]);
  await pool.query("DELETE FROM decisions WHERE run_id = $1 AND by = 'policy'", [runId]);
  await pool.query('UPDATE runs SET policy_decisions = $2 WHERE id = $1', [runId, [earlier]]);
  expect((await load()).decisions).toEqual(decisions);
});
