import { beforeEach, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { spendLedger } from '#lib/budgets/spend-ledger.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { admitLessons } from '#lib/lessons/admit-lessons.ts';
import { listRetrospectives } from '#lib/lessons/retrospectives/retrospectives.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { verdict } from '#lib/testing/scripted-loop.test-support.ts';
import { PRACTICE_WRITING, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performJob } from './perform-job.ts';
import { performRun } from './perform-run.ts';
import { requestRetrospective, startDueRetrospectives } from './request-retrospectives.ts';

const db = useTestDatabase();
const GOING_ON = new AbortController().signal;
const SPEND = { tokenUsage: { input: 10, output: 5, total: 15 }, costUsd: 0.01, latencyMs: 100, attempts: 1 };

beforeEach(async () => {
  await db.database().pool.query("UPDATE experiment_versions SET settings = settings #- '{lessons,lookBackEvery}'");
});

/** Scores outputs of tasks that contain "good" high. A retrospective returns only lessons from the decisions in its prompt. */
const call: ModelCaller = async ({ role, prompt }) => {
  const guidance = /Decision by person: revise: (.*)/.exec(prompt)?.[1];
  const reply =
    role === 'evaluate'
      ? verdict({ clarity: prompt.includes('good') ? 0.95 : 0.3, completeness: prompt.includes('good') ? 0.95 : 0.3 })
      : role === 'lesson'
        ? {
            decisions: guidance === undefined ? [] : [{ what: 'Revise', alternatives: 'Accept', why: guidance }],
            principles: ['Always name the unit, password hunter2secret!'],
            procedures: [{ goal: 'A guide', steps: ['Outline', 'Write'] }],
          }
        : role === 'reflect'
          ? { summary: 'Vague.', issues: [], suggestions: [] }
          : 'A text';
  const text = typeof reply === 'string' ? reply : JSON.stringify(reply);
  return { ok: true, reply: { text, finishReason: 'stop', warnings: [], ...SPEND } };
};

async function experimentOf(lessons: ExperimentSettingsInput['lessons'], more: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const settings = { ...PRACTICE_WRITING, maxIterations: 0, lessons, ...more };
  const created = await createExperiment(context, TESTER, { name: 'Scheduled', ...settings });
  const { id } = unwrap(created);
  const run = async (input: string): Promise<string> => {
    const batch = unwrap(
      await startBatch(context, TESTER, id, { cases: [{ input }] }, { idempotencyKey: null, watched: false }),
    );
    const runId = batch.runIds[0] ?? '';
    await performRun(testWorkerContext(context, call), runId);
    return runId;
  };
  return { context, id, run };
}

async function lookedBack(runIds: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const id of runIds) if ((await listRetrospectives(db.database(), id)).length > 0) found.push(id);
  return found;
}

/** Records a decision by a person on an ended run. */
async function decide(runId: string, decision: string, guidance: string | null = null) {
  await db.database().pool.query(
    `INSERT INTO decisions (run_id, ordinal, hook, version, iteration, decision, by, actor, guidance, step, at)
     SELECT $1, count(*) + 100, 'onReflection', 0, 0, $2, 'person', 'Ada', $3, 50, now() FROM decisions WHERE run_id = $1`,
    [runId, decision, guidance],
  );
}

describe('scheduled retrospectives', () => {
  test('are off by default', async () => {
    const { context, run } = await experimentOf({});
    await run('bad');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(0);
  });

  test('start after every lookBackEvery ended runs, for the most instructive run, and not again before the next interval', async () => {
    const { context, run } = await experimentOf({ lookBackEvery: 3 });
    const first = await run('good one');
    const second = await run('bad one');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(0);
    const third = await run('good two');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(1);
    // The unsolved run.
    expect(await lookedBack([first, second, third])).toEqual([second]);
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(0);
    await run('good three');
    await run('good four');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(0);
    await run('good five');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(1);
    const audit = await db
      .database()
      .pool.query(
        "SELECT actor, via, act FROM audit_entries WHERE subject_kind = 'run' AND act = 'requested' ORDER BY id DESC LIMIT 1",
      );
    expect(audit.rows).toEqual([{ actor: 'Hone', via: 'system', act: 'requested' }]);
  });

  test('prefer runs with human decisions over unsolved ones, up to lookBackRuns and none twice', async () => {
    const { context, run } = await experimentOf({ lookBackEvery: 4, lookBackRuns: 2 });
    const [passed, unsolved, decided, byHand] = [
      await run('good'),
      await run('bad'),
      await run('good too'),
      await run('bad too'),
    ];
    await decide(passed, 'continue');
    await decide(decided, 'revise', 'Name the unit.');
    unwrap(await requestRetrospective(context, TESTER, byHand));
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(2);
    expect(await lookedBack([passed, unsolved, decided])).toEqual([unsolved, decided]);
  });

  test('store redacted and screened lessons for review: decisions, principles and procedures', async () => {
    const { context, run } = await experimentOf({ lookBackEvery: 1 });
    const runId = await run('good');
    await decide(runId, 'revise', 'Say it in metres.');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(1);
    await performJob(testWorkerContext(context, call), runId);
    expect(await listRetrospectives(db.database(), runId)).toMatchObject([
      { status: 'done', requestedBy: 'Hone', counts: { decision: 1, principle: 1, procedure: 1 } },
    ]);
    await admitLessons(context, GOING_ON);
    const { rows } = await db
      .database()
      .pool.query('SELECT kind, status, text FROM lessons WHERE run_id = $1 ORDER BY kind', [runId]);
    expect(rows.map(({ kind, status }) => [kind, status])).toEqual([
      ['decision', 'quarantined'],
      ['principle', 'quarantined'],
      ['procedure', 'quarantined'],
    ]);
    expect(rows[0].text).toContain('Say it in metres.');
    expect(JSON.stringify(rows)).not.toContain('hunter2secret');
  });

  test('make no call that would exceed the experiment budget', async () => {
    const { context, id, run } = await experimentOf({ lookBackEvery: 1 });
    const runId = await run('good');
    await db
      .database()
      .pool.query(
        `UPDATE experiment_versions SET settings = jsonb_set(settings::jsonb, '{budget,maxExperimentTokens}', '31') WHERE experiment_id = $1`,
        [id],
      );
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(1);
    spendLedger(db.database()).forgetLimits();
    const asked: string[] = [];
    await performJob(
      testWorkerContext(context, async (request, ...rest) => {
        asked.push(request.role);
        return call(request, ...rest);
      }),
      runId,
    );
    expect(asked).toEqual([]);
    expect(await listRetrospectives(db.database(), runId)).toMatchObject([{ status: 'failed', lessons: [] }]);
  });

  test.each<[string, Partial<ExperimentSettingsInput>]>([
    ['write no lessons', { lessons: { lookBackEvery: 1, write: 'off' } }],
  ])('runs that %s are ignored', async (_name, { lessons }) => {
    const { context, run } = await experimentOf(lessons);
    await run('bad');
    expect(await startDueRetrospectives(context, GOING_ON)).toBe(0);
  });
});
