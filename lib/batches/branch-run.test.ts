import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { findExperiment, latestBatchScores } from '#lib/experiments/queries.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import { findBranches, findRun } from '#lib/runs/queries.ts';
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
import { branchRun } from './branch-run.ts';

const db = useTestDatabase();
const LONG: ExperimentSettingsInput = { ...PRACTICE_WRITING, qualityThreshold: 1, maxIterations: 2, convergence: null };
const TASK = { input: 'Explain our rate limits to a new user', reference: 'Ten a minute.' };
const UNWATCHED = { watched: false };

async function ended(settings: ExperimentSettingsInput = LONG) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, TASK);
  await performRun(testWorkerContext(context), runId);
  context.sent.length = 0;
  const branch = (input: unknown) => branchRun(context, TESTER, runId, input, UNWATCHED);
  return { context, runId, branch, record: await recordOf(runId) };
}

async function recordOf(runId: string) {
  const found = await findRun(db.database(), runId);
  if (found === null) throw new Error('no run');
  return found.record;
}

test('uses the text as first version at no cost, scores it and continues like any run', async () => {
  const { context, runId, branch, record } = await ended();
  const { runId: branchId } = unwrap(await branch({ version: 1 }));
  expect(context.sent).toEqual([branchId]);
  const queued = await recordOf(branchId);
  expect(queued).toMatchObject({
    status: 'queued',
    experimentId: record.experimentId,
    experimentVersion: 1,
    case: { input: TASK.input, reference: TASK.reference },
    branchedFrom: { runId, number: record.number, version: 1 },
    costUsd: 0,
    tokenUsage: { total: 0 },
    iterationsUsed: 0,
  });
  expect(queued.versions).toMatchObject([
    { number: 0, origin: 'branched', parents: [], output: record.versions[1]?.output, costUsd: 0, evaluations: [] },
  ]);

  await performRun(testWorkerContext(context), branchId);
  const after = await recordOf(branchId);
  expect(after).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations', iterationsUsed: 2 });
  expect(after.versions.map(({ origin, parents }) => ({ origin, parents }))).toEqual([
    { origin: 'branched', parents: [] },
    { origin: 'revised', parents: [0] },
    { origin: 'revised', parents: [expect.any(Number)] },
  ]);
  expect(after.versions[0]?.evaluations).toMatchObject([{ by: 'machine', status: 'scored' }]);
  const calls = await listModelCalls(db.database(), branchId);
  expect(calls[0]?.role).toBe('evaluate');
  expect(calls.map(({ role }) => role)).not.toContain('generate');
  const events = await listRunEvents(db.database(), branchId, 0, 100);
  expect(events.map(({ number }) => number)).toEqual(events.map((_, at) => at + 1));
  expect(events[0]).toMatchObject({ type: 'output_made', data: { version: 0 } });
  expect(events[1]).toMatchObject({ type: 'evaluated', data: { version: 0 } });

  expect(await recordOf(runId)).toEqual(record);
  expect(await findBranches(db.database(), runId)).toEqual([{ runId: branchId, number: after.number, version: 1 }]);
  expect((await recordOf(runId)).branchedFrom).toBeNull();
});

test('uses a given text as the first version and sanitizes it', async () => {
  const { branch } = await ended();
  const { runId: branchId } = unwrap(await branch({ version: 0, output: 'Ten calls a minute.\u0000' }));
  expect((await recordOf(branchId)).versions).toMatchObject([
    { origin: 'branched', output: 'Ten calls a minute.\uFFFD' },
  ]);
});

test('uses the current settings, not those of its source', async () => {
  const { context, branch, record } = await ended();
  unwrap(await updateExperiment(context, TESTER, record.experimentId, { maxIterations: 0 }));
  const { runId: branchId } = unwrap(await branch({ version: 0 }));
  await performRun(testWorkerContext(context), branchId);
  const after = await recordOf(branchId);
  expect(after).toMatchObject({ experimentVersion: 2, status: 'finished', convergenceReason: 'max_iterations' });
  expect(after.versions).toHaveLength(1);
});

test('outlives its deleted source and shows that it is gone', async () => {
  const { context, runId, branch } = await ended();
  const { runId: branchId } = unwrap(await branch({ version: 2 }));
  unwrap(await deleteRun(context, TESTER, runId));
  expect((await recordOf(branchId)).branchedFrom).toEqual({ runId: null, number: null, version: 2 });
});

test("needs a new text if the version's text was dropped", async () => {
  const { branch, record } = await ended({ ...LONG, maxIterations: 3, preserveAllVersions: false });
  const version = record.versions.find(({ outputDropped }) => outputDropped)?.number;
  expect(version).toBeTypeOf('number');
  expect(await branch({ version })).toMatchObject({
    ok: false,
    problem: { code: 'conflict', field: 'version', message: expect.stringContaining('not kept') },
  });
  expect(await branch({ version, output: 'Mine.' })).toMatchObject({ ok: true });
});

test('refuses a run whose attempts start from scratch', async () => {
  const { branch } = await ended(PRACTICE_SUMS);
  expect(await branch({ version: 0 })).toMatchObject({
    ok: false,
    problem: { code: 'conflict', message: expect.stringContaining('starts from scratch') },
  });
});

test.each<[string, unknown, { code: string; field: string; message: RegExp }]>([
  ['an unknown version', { version: 9 }, { code: 'not_found', field: 'version', message: /no version 9/ }],
  ['a missing version', {}, { code: 'invalid', field: 'version', message: /number of a version/ }],
  ['a fractional version', { version: 0.5 }, { code: 'invalid', field: 'version', message: /number of a version/ }],
  ['a blank text', { version: 0, output: ' \n' }, { code: 'invalid', field: 'output', message: /must be the text/ }],
  [
    'a text that is too long',
    { version: 0, output: 'x'.repeat(2_000_001) },
    { code: 'invalid', field: 'output', message: /at most 2,000,000 characters/ },
  ],
  ['an unknown field', { version: 0, settings: {} }, { code: 'invalid', field: 'settings', message: /settings/ }],
])('is rejected and creates nothing: %s', async (_name, input, { code, field, message }) => {
  const { context, runId, branch } = await ended({ ...LONG, maxIterations: 0 });
  expect(await branch(input)).toMatchObject({
    ok: false,
    problem: { code, field, message: expect.stringMatching(message) },
  });
  expect(context.sent).toEqual([]);
  expect(await findBranches(db.database(), runId)).toEqual([]);
});

test('returns not_found for an unknown run', async () => {
  const context = testContext(db.database());
  expect(await branchRun(context, TESTER, randomUUID(), { version: 0 }, UNWATCHED)).toMatchObject({
    ok: false,
    problem: { code: 'not_found' },
  });
});

test('does not replace the latest batch of its experiment', async () => {
  const { context, branch, record } = await ended();
  const scoresBefore = await latestBatchScores(db.database(), record.experimentId);
  const batches = async () => (await findExperiment(db.database(), record.experimentId))?.batches;
  expect(await batches()).toMatchObject([{ id: record.batchId, isBranch: false }]);
  for (let count = 0; count < 21; count++) {
    const { runId } = unwrap(await branch({ version: 0 }));
    if (count === 0) await performRun(testWorkerContext(context), runId);
  }
  const listed = await batches();
  expect(listed?.map(({ isBranch }) => isBranch)).toEqual([...Array.from({ length: 20 }, () => true), false]);
  expect(listed?.at(-1)?.id).toBe(record.batchId);
  expect(await latestBatchScores(db.database(), record.experimentId)).toEqual(scoresBefore);
});
