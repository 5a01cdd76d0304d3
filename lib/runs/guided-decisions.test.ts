import { describe, expect, test } from 'vitest';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { latestBatchScores } from '#lib/experiments/queries.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { rowsRead } from '#lib/testing/rows-read.test-support.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { expirePauses } from './expire-pauses.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { findRun, findRunResult, runsWithExpiredPause } from './queries.ts';

const db = useTestDatabase();
const WAITS: ExperimentSettingsInput = { ...PRACTICE_WRITING, callbacks: { pause: 'always' }, convergence: null };
const INPUT = 'Explain how to verify a webhook and handle retries.';

async function recordOf(runId: string) {
  const found = await findRun(db.database(), runId);
  if (found === null) throw new Error('no run');
  return found.record;
}

/** Starts a run that waits at its first pause. `go` performs it once more and returns its record; `say` decides the current pause. */
async function waiting(settings = WAITS, changes: Partial<AppContext> = {}) {
  const context = { ...testContext(db.database()), ...changes };
  const real = createModelCaller({ addresses: context.addresses, resolveProvider: providerResolver(context) });
  const asked: ModelRequest[] = [];
  const call: ModelCaller = (request, options) => {
    asked.push(request);
    return real(request, options);
  };
  const task = settings.mode === 'retry' ? { input: 'What is 17 * 23?', reference: '391' } : { input: INPUT };
  const runId = await queuedRun(context, settings, task);
  const go = async () => {
    await performRun(testWorkerContext(context, call), runId);
    return recordOf(runId);
  };
  const pauseId = async () => (await recordOf(runId)).waitingFor?.pauseId;
  const say = async (input: object) => decide(context, TESTER, runId, { pauseId: await pauseId(), ...input });
  return { context, runId, record: await go(), go, say, asked };
}

describe('a decision at a pause', () => {
  test('guidance appears only in the prompt of the next revision of that version', async () => {
    const { record, go, say, asked } = await waiting();
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { version: 0 } });
    const { decision } = unwrap(await say({ decision: 'revise', version: 0, guidance: 'Name a number of hours.' }));
    expect(decision).toMatchObject({
      decision: 'revise',
      by: 'person',
      actor: 'Tester',
      version: 0,
      guidance: 'Name a number of hours.',
      seen: { versions: 1, evaluations: 1, wouldStopAs: null },
    });
    const revised = await go();
    const prompts = () => asked.filter(({ role }) => role === 'revise').map(({ prompt }) => prompt);
    expect(prompts()).toHaveLength(1);
    expect(prompts()[0]).toContain('<guidance>\n- Name a number of hours.\n</guidance>');
    expect(revised.versions[1]).toMatchObject({ parents: [0], origin: 'revised' });
    expect(revised.versions[1]?.improvementsApplied).toContain('Name a number of hours.');
    unwrap(await say({ decision: 'continue' }));
    await go();
    expect(prompts()).toHaveLength(2);
    expect(prompts()[1]).not.toContain('Name a number of hours.');
  });

  test('revert starts the next revision from the named version', async () => {
    const { go, say } = await waiting();
    unwrap(await say({ decision: 'continue' }));
    await go();
    unwrap(await say({ decision: 'revert', version: 0, guidance: 'Try another way.' }));
    const record = await go();
    expect(record.versions.map(({ parents }) => parents)).toEqual([[], [0], [0]]);
    expect(record.decisions.at(-1)).toMatchObject({ decision: 'revert', version: 0, seen: { versions: 2 } });
  });

  test('edit adds a free version that the evaluators score and the run pauses on again', async () => {
    const { runId, go, say } = await waiting();
    const before = (await listModelCalls(db.database(), runId)).length;
    unwrap(await say({ decision: 'edit', output: 'Check the signature first. \u0000', reason: 'Shorter.' }));
    const record = await go();
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { version: 1 }, iterationsUsed: 0 });
    expect(record.versions[1]).toMatchObject({
      origin: 'edited',
      parents: [0],
      output: 'Check the signature first. \uFFFD',
      costUsd: 0,
      evaluations: [{ by: 'machine', status: 'scored' }],
    });
    expect((await listModelCalls(db.database(), runId)).slice(before).map(({ role }) => role)).toEqual(['evaluate']);
    unwrap(await say({ decision: 'accept' }));
    expect(await recordOf(runId)).toMatchObject({
      status: 'finished',
      convergenceReason: 'user_accepted',
      finalVersion: 1,
      success: true,
    });
  });

  test('merge creates a version with both parents', async () => {
    const { go, say } = await waiting();
    unwrap(await say({ decision: 'continue' }));
    await go();
    unwrap(await say({ decision: 'merge', parents: [0, 1], output: 'Half of each.' }));
    const record = await go();
    expect(record.versions[2]).toMatchObject({ origin: 'merged', parents: [0, 1], output: 'Half of each.' });
    expect(record.waitingFor?.version).toBe(2);
  });

  test('auto applies the stop rules and the run finishes as usual', async () => {
    const { go, say } = await waiting({ ...WAITS, maxIterations: 0 });
    unwrap(await say({ decision: 'auto' }));
    expect(await go()).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations', success: false });
  });

  test('guidance for an attempt appears only in its prompt', async () => {
    const { go, say, asked } = await waiting({ ...PRACTICE_SUMS, callbacks: { pause: 'always' } });
    unwrap(await say({ decision: 'revise', guidance: 'Mind the carry.' }));
    await go();
    const attempts = asked.filter(({ role }) => role === 'generate').map(({ prompt }) => prompt);
    expect(attempts).toHaveLength(2);
    expect(attempts[1]).toContain('<guidance>\n- Mind the carry.\n</guidance>');
  });

  test("guidance about an earlier attempt appears in the next attempt's prompt", async () => {
    const { go, say, asked } = await waiting({ ...PRACTICE_SUMS, callbacks: { pause: 'always' } });
    unwrap(await say({ decision: 'continue' }));
    await go();
    unwrap(await say({ decision: 'revise', version: 0, guidance: 'Show each step, as the first did not.' }));
    await go();
    const attempts = asked.filter(({ role }) => role === 'generate').map(({ prompt }) => prompt);
    expect(attempts).toHaveLength(3);
    expect(attempts[2]).toContain('<guidance>\n- Show each step, as the first did not.\n</guidance>');
  });

  test.each<[string, object, { field?: string; message: RegExp }]>([
    ['guidance is missing', { decision: 'revise' }, { field: 'guidance', message: /must say what/ }],
    ['guidance is blank', { decision: 'revise', guidance: '  ' }, { field: 'guidance', message: /must say what/ }],
    [
      'guidance is too long',
      { decision: 'revise', guidance: 'x'.repeat(4_001) },
      { field: 'guidance', message: /at most 4,000 characters/ },
    ],
    [
      'guidance for another decision',
      { decision: 'continue', guidance: 'x' },
      { field: 'guidance', message: /goes with/ },
    ],
    ['a revert without a version', { decision: 'revert' }, { field: 'version', message: /must name/ }],
    [
      'a revert to the last version',
      { decision: 'revert', version: 0 },
      { field: 'version', message: /last one already/ },
    ],
    ['an unknown version', { decision: 'revise', version: 9, guidance: 'x' }, { field: 'version', message: /0 to 0/ }],
    ['an edit without a text', { decision: 'edit' }, { field: 'output', message: /must be the text/ }],
    [
      'an edit of only white space',
      { decision: 'edit', output: ' \n' },
      { field: 'output', message: /must be the text/ },
    ],
    ['a merge without parents', { decision: 'merge', output: 'x' }, { field: 'parents', message: /must name the two/ }],
    [
      'a merge with itself',
      { decision: 'merge', output: 'x', parents: [0, 0] },
      { field: 'parents', message: /two different/ },
    ],
    [
      'a merge with an unknown version',
      { decision: 'merge', output: 'x', parents: [0, 7] },
      { field: 'parents', message: /version 7 does not exist/ },
    ],
    [
      'an accept with a text',
      { decision: 'accept', output: 'x' },
      { field: 'output', message: /goes with edit and merge/ },
    ],
  ])('is refused, and nothing is changed: %s', async (_name, input, { field, message }) => {
    const { runId, record, say } = await waiting();
    const refused = await say(input);
    expect(refused).toMatchObject({ ok: false, problem: { field, message: expect.stringMatching(message) } });
    expect(await recordOf(runId)).toEqual(record);
  });

  test('rejects an edit identical to the current text', async () => {
    const { record, say } = await waiting();
    const refused = await say({ decision: 'edit', output: record.versions[0]?.output });
    expect(refused).toMatchObject({ ok: false, problem: { field: 'output', message: /word for word/ } });
  });

  test('rejects a stale pause and names the decision already made, also after an edit', async () => {
    const { context, runId, record, go, say } = await waiting();
    const stale = record.waitingFor?.pauseId;
    unwrap(await say({ decision: 'edit', output: 'Mine.' }));
    await go();
    const late = await decide(context, { ...TESTER, name: 'Bea' }, runId, { decision: 'accept', pauseId: stale });
    expect(late).toMatchObject({ ok: false, problem: { code: 'conflict', message: /edit by Tester/ } });
  });

  test('rejects revise, edit and auto on an ended run, but takes accept', async () => {
    const { context, runId, say } = await waiting();
    unwrap(await say({ decision: 'stop' }));
    for (const input of [
      { decision: 'revise', guidance: 'x' },
      { decision: 'edit', output: 'x' },
      { decision: 'auto' },
    ]) {
      expect(await decide(context, TESTER, runId, input)).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    }
    unwrap(await decide(context, TESTER, runId, { decision: 'accept', version: 0 }));
  });

  test('accepts a version of an ended run once, and another version or a score change after it', async () => {
    const { context, runId, say, go } = await waiting();
    unwrap(await say({ decision: 'revise', guidance: 'Shorter.' }));
    await go();
    unwrap(await say({ decision: 'accept', version: 1 }));
    const accept = (version?: number) =>
      decide(context, { ...TESTER, name: 'Bea' }, runId, { decision: 'accept', version });
    const again = {
      ok: false,
      problem: { code: 'conflict', field: 'version', message: /Version 1 was already accepted by Tester on / },
    };
    expect(await accept(1)).toMatchObject(again);
    expect(await accept()).toMatchObject(again);
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 1, score: 0.5 }));
    expect(await accept(1)).toMatchObject(again);
    unwrap(await accept(0));
    unwrap(await accept(1));
    const { decisions } = await recordOf(runId);
    expect(decisions.map(({ decision, version }) => `${decision} ${version}`)).toEqual([
      'revise 0',
      'accept 1',
      'override 1',
      'accept 0',
      'accept 1',
    ]);
  });

  test('rejects the version of a run without versions', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, WAITS, { input: INPUT });
    for (const decision of ['accept', 'override'])
      expect(
        await decide(context, TESTER, runId, { decision, version: 0, ...(decision === 'override' && { score: 1 }) }),
      ).toMatchObject({
        ok: false,
        problem: { field: 'version', message: 'version 0 does not exist: the run has no versions yet.' },
      });
  });

  test('restores an overridden score, at a pause and after the end, and records the person', async () => {
    const { context, runId, record, say } = await waiting();
    const machine = record.versions[0]?.evaluations[0]?.overallScore;
    const restore = { decision: 'restore', version: 0, reason: 'I misread it.' };
    expect(await say(restore)).toMatchObject({ ok: false, problem: { code: 'conflict', message: /not overridden/ } });
    unwrap(await say({ decision: 'override', version: 0, score: 0.11 }));
    unwrap(await say(restore));
    const waits = await recordOf(runId);
    expect(waits).toMatchObject({ status: 'waiting', bestByRule: { highest_score: 0 } });
    expect(waits.versions[0]?.evaluations.at(-1)).toMatchObject({
      by: 'person',
      actor: 'Tester',
      reason: 'I misread it.',
      overallScore: machine,
    });
    expect(waits.decisions.at(-1)).toMatchObject({ decision: 'restore', pauseId: null, seen: { score: 0.11 } });
    unwrap(await say({ decision: 'stop' }));
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.22 }));
    unwrap(await decide(context, TESTER, runId, { decision: 'restore', version: 0 }));
    expect((await recordOf(runId)).versions[0]?.evaluations.map(({ overallScore }) => overallScore)).toEqual([
      machine,
      0.11,
      machine,
      0.22,
      machine,
    ]);
  });

  test('an override of the final version changes whether the ended run is solved; restore reverts it', async () => {
    const context = testContext(db.database());
    const runId = await queuedRun(context, PRACTICE_SUMS, { input: 'What is 17 * 23?', reference: '391' });
    await performRun(testWorkerContext(context), runId);
    const { success, finalVersion: version } = await recordOf(runId);
    const say = (input: object) => decide(context, TESTER, runId, { version, ...input });
    unwrap(await say({ decision: 'override', score: success ? 0.1 : 1, reason: 'I looked.' }));
    expect((await recordOf(runId)).success).toBe(!success);
    const row = await db.database().prisma.run.findUnique({ where: { id: runId }, select: { success: true } });
    expect(row?.success).toBe(!success);
    unwrap(await say({ decision: 'restore' }));
    expect((await recordOf(runId)).success).toBe(success);
  });

  test('restores a version that a person has not scored yet, everywhere', async () => {
    const context = testContext(db.database());
    const criteria = [
      { name: 'clarity', evaluator: 'llm' as const, threshold: 0 },
      { name: 'taste', evaluator: 'human' as const },
    ];
    const runId = await queuedRun(
      context,
      { ...PRACTICE_WRITING, criteria, maxIterations: 0, qualityThreshold: 0.5 },
      { input: 'Explain tides.' },
    );
    await performRun(testWorkerContext(context), runId);
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.9 }));
    unwrap(await decide(context, TESTER, runId, { decision: 'restore', version: 0 }));
    const record = await recordOf(runId);
    expect([record.success, record.bestByRule.highest_score]).toEqual([false, null]);
    expect(await findRunResult(db.database(), runId)).toMatchObject({ score: null });
    expect((await latestBatchScores(db.database(), record.experimentId))?.scores).toMatchObject([
      { overallScore: null },
    ]);
    expect(await decide(context, TESTER, runId, { decision: 'restore', version: 0 })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: /not overridden/ },
    });
  });

  test('rejects revert in retry mode', async () => {
    const { go, say } = await waiting({ ...PRACTICE_SUMS, callbacks: { pause: 'always' } });
    unwrap(await say({ decision: 'continue' }));
    await go();
    expect(await say({ decision: 'revert', version: 0 })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: /starts from scratch/ },
    });
  });
});

describe('a pause without a decision', () => {
  const DAY_MS = 86_400_000;
  let now = new Date();
  const clock = { now: () => now };
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };

  test('waits for days without a timeout and keeps its settings version', async () => {
    const { context, runId, record, go, say } = await waiting(WAITS, clock);
    const changed = { name: 'test', ...WAITS, maxIterations: 0, callbacks: { pause: 'never' as const } };
    expect(unwrap(await updateExperiment(context, TESTER, record.experimentId, changed)).version).toBe(2);
    later(3 * DAY_MS);
    expect(await expirePauses(context)).toBe(0);
    expect(await go()).toMatchObject({ status: 'waiting', experimentVersion: 1, waitingFor: record.waitingFor });
    unwrap(await say({ decision: 'continue' }));
    expect(await go()).toMatchObject({ status: 'waiting', experimentVersion: 1, waitingFor: { version: 1 } });
    unwrap(await say({ decision: 'accept' }));
    expect((await recordOf(runId)).status).toBe('finished');
  });

  test('expires once with auto, and a later decision gets a conflict', async () => {
    const { context, runId, record, go } = await waiting(
      { ...WAITS, maxIterations: 0, callbacks: { pause: 'always', timeoutSeconds: 3_600 } },
      clock,
    );
    const { pauseId, since, expiresAt } = record.waitingFor ?? {};
    expect(Date.parse(expiresAt ?? '') - Date.parse(since ?? '')).toBe(3_600_000);
    later(3_599_000);
    expect(await expirePauses(context)).toBe(0);
    later(2_000);
    expect(await Promise.all([expirePauses(context), expirePauses(context)])).toEqual(expect.arrayContaining([1, 0]));
    expect(await go()).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
    expect((await recordOf(runId)).decisions[0]).toMatchObject({
      decision: 'auto',
      by: 'timeout',
      actor: null,
      reason: 'Nobody answered within 1 h.',
      pauseId,
    });
    const late = await decide(context, TESTER, runId, { decision: 'continue', pauseId });
    expect(late).toMatchObject({ ok: false, problem: { code: 'conflict', message: /auto by timeout/ } });
  });

  test('stops the run if onTimeout is stop', async () => {
    const callbacks = { pause: 'always', timeoutSeconds: 60, onTimeout: 'stop' } as const;
    const { context, runId } = await waiting({ ...WAITS, callbacks }, clock);
    later(61_000);
    expect(await expirePauses(context)).toBe(1);
    expect(await recordOf(runId)).toMatchObject({
      status: 'stopped',
      convergenceReason: 'user_stopped',
      success: false,
    });
  });

  test('leaves the version unscored when a score times out, and keeps the iteration limit', async () => {
    const criteria = [{ name: 'taste', evaluator: 'human' as const }];
    const callbacks = { timeoutSeconds: 60 };
    const { context, runId, go } = await waiting({ ...WAITS, criteria, callbacks, maxIterations: 0 }, clock);
    later(61_000);
    expect(await expirePauses(context)).toBe(1);
    expect(await go()).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
    expect((await recordOf(runId)).versions[0]?.evaluations[0]).toMatchObject({
      status: 'partial',
      overallScore: null,
    });
  });

  test('the search for expired pauses does not read runs that are still waiting', async () => {
    const { context, runId } = await waiting(WAITS, clock);
    const { pool } = context.database;
    const columns = 'experiment_id, experiment_version, batch_id, input, tags, also_held, status, pause';
    await pool.query(
      `INSERT INTO runs (id, position, pause_expires_at, ${columns})
       SELECT gen_random_uuid(), n, now() + n * interval '1 hour', ${columns} FROM runs, generate_series(1, 5000) n WHERE id = $1`,
      [runId],
    );
    await pool.query('ANALYZE runs');
    const look = (database: DatabaseClient) => runsWithExpiredPause(database, new Date());
    expect(await rowsRead(context.database, look)).toBeLessThan(300);
    await pool.query('DELETE FROM runs WHERE position > 0');
  });

  test('escalates an unsolved run to a reviewer when enabled', async () => {
    const hard = { ...PRACTICE_SUMS, maxAttempts: 1, callbacks: { escalate: true } };
    const { record, say, go } = await waiting(hard, clock);
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { wouldStopAs: 'max_iterations' } });
    unwrap(await say({ decision: 'auto' }));
    expect(await go()).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  });
});
