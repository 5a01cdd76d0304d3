import Papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { branchRun } from '#lib/batches/branch-run.ts';
import { resumeRun } from '#lib/batches/resume-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { loadRun } from '#lib/runs/load-run.ts';
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
import { agentLines } from './agent-run.test-support.ts';
import { type ExportFormat, exportRuns } from './export-runs.ts';
import { importRuns } from './import-runs.ts';

const { database } = useTestDatabase();

async function exported(experimentId: string, format: ExportFormat = 'jsonl'): Promise<string> {
  const download = unwrap(await exportRuns({ database: database() }, experimentId, format));
  const chunks: Uint8Array[] = [];
  for await (const chunk of download.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function imported(text: string): Promise<{ experimentId: string; batchId: string }> {
  async function* bytes() {
    yield Buffer.from(text);
  }
  const options = { name: null, solvedFrom: 0.8, dryRun: false };
  const { experimentId, batchId } = unwrap(await importRuns(testContext(database()), TESTER, bytes(), options));
  return { experimentId: experimentId ?? '', batchId: batchId ?? '' };
}

function objects(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** Returns the measures that reports and statistics use. */
async function measuresOf(batchId: string) {
  const batch = await findBatch(database(), batchId);
  const rows = await database().prisma.runMeasure.findMany({
    where: { run: { batchId } },
    orderBy: { run: { number: 'asc' } },
  });
  return {
    report: batch?.report,
    rows: rows.map(({ runId: _run, experimentId: _experiment, revision: _revision, ...row }) => row),
  };
}

async function performed(settings: typeof PRACTICE_SUMS, task: { input: string; reference?: string }) {
  const context = testContext(database());
  const runId = await queuedRun(context, settings, task);
  await performRun(testWorkerContext(context), runId);
  return database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
}

describe.each([
  ['retry', PRACTICE_SUMS, { input: 'What is 17 + 25?', reference: '42' }],
  ['revise', PRACTICE_WRITING, { input: '=Explain webhooks, and "retries"' }],
] as const)('run in mode %s', (_mode, settings, task) => {
  const done = { experimentId: '', batchId: '', text: '' };
  beforeAll(async () => {
    const { experimentId, batchId } = await performed(settings, task);
    Object.assign(done, { experimentId, batchId, text: await exported(experimentId) });
  });

  test('is unchanged after export, import and re-export, with the same measures', async () => {
    const copy = await imported(done.text);
    expect(objects(await exported(copy.experimentId))).toEqual(objects(done.text));
    expect(await measuresOf(copy.batchId)).toEqual(await measuresOf(done.batchId));
    expect(objects(done.text).length).toBeGreaterThan(1);
  });

  test('exports tables with one row per run or version, and no formulas', async () => {
    const table = (text: string) => Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data;
    const [runs, versions] = [
      table(await exported(done.experimentId, 'runs')),
      table(await exported(done.experimentId, 'versions')),
    ];
    expect(runs).toMatchObject([
      { status: 'finished', versions: String(versions.length), input: task.input.replace(/^=/, "'=") },
    ]);
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_version, index) => String(index)));
    expect(Object.keys(JSON.parse(versions[0]?.criteria_scores ?? '{}'))).toEqual(
      settings.criteria?.map(({ name }) => name),
    );
  });
});

test('imports the turns of an agent and exports them unchanged', async () => {
  const lines = agentLines();
  const copy = await imported(lines);
  expect(objects(await exported(copy.experimentId))).toMatchObject(objects(lines));
  const run = await database().prisma.run.findFirstOrThrow({ where: { experimentId: copy.experimentId } });
  const stored = await loadRun(database(), run.id);
  expect(
    stored?.history.turns.map(({ version, agent, number, callsLeftOut }) => [version, agent, number, callsLeftOut]),
  ).toEqual([
    [0, 'main', 0, 3],
    [0, 'reader', 0, 0],
    [0, 'main', 1, 0],
    [1, 'main', 0, 0],
  ]);
  expect(stored?.history.observations.map(({ callId, text }) => [callId, text])).toEqual([
    ['0.0', '5'],
    ['0.1', 'Read.'],
  ]);
});

test('keeps the budget of a run and its spend outside the loop', async () => {
  const { id, experimentId } = await performed(PRACTICE_SUMS, { input: 'What is 17 + 25?', reference: '42' });
  const own = {
    ownBudget: { maxCalls: null, maxTokens: 50_000, maxCostUsd: null, maxSeconds: null },
    asideTokens: 120,
    asideCostUsd: 0.25,
  };
  await database().prisma.run.update({ where: { id }, data: own });
  const text = await exported(experimentId);
  const copy = await imported(text);
  expect(await database().prisma.run.findFirst({ where: { experimentId: copy.experimentId } })).toMatchObject(own);
  expect(objects(await exported(copy.experimentId))).toEqual(objects(text));
});

test('imports a run of an export without these fields', async () => {
  const lines = agentLines().replace(/"ownBudget":null,"asideTokens":0,"asideCostUsd":0,/g, '');
  expect(lines).not.toContain('ownBudget');
  const copy = await imported(lines);
  expect(await database().prisma.run.findFirst({ where: { experimentId: copy.experimentId } })).toMatchObject({
    ...{ ownBudget: null, asideTokens: 0, asideCostUsd: 0 },
  });
});

test('imports the export of an import with high costs', async () => {
  const attempt = (number: number) => ({ run: 'dear', case: { id: 'a', input: 'x' }, attempt: number, output: 'y' });
  const lines = [1, 2].map((number) => JSON.stringify({ ...attempt(number), solved: false, costUsd: 1_500_000 }));
  const { experimentId } = await imported(lines.join('\n'));
  const copy = await imported(await exported(experimentId));
  const runs = await database().prisma.run.findMany({
    where: { experimentId: { in: [experimentId, copy.experimentId] } },
  });
  expect(runs.map(({ costUsd }) => costUsd)).toEqual([3_000_000, 3_000_000]);
});

test('a branch stays a branch after export and import', async () => {
  const context = testContext(database());
  const { id, experimentId } = await performed(PRACTICE_WRITING, { input: 'Explain branches.' });
  const branch = unwrap(await branchRun(context, TESTER, id, { version: 0 }, { watched: false }));
  await performRun(testWorkerContext(context), branch.runId);
  const copy = await imported(await exported(experimentId));
  const runs = await database().prisma.run.findMany({
    where: { experimentId: copy.experimentId },
    orderBy: { number: 'asc' },
  });
  expect(runs.map(({ branchedVersion }) => branchedVersion)).toEqual([null, 0]);
  const batch = await findBatch(database(), copy.batchId ?? '');
  expect(batch).toMatchObject({ total: 2, repetitions: 1, report: { total: 1, cases: 1 } });
  expect(objects(await exported(copy.experimentId))).toEqual(objects(await exported(experimentId)));
});

test('an imported experiment cannot start or resume runs', async () => {
  const context = testContext(database());
  const failed = { run: 'old', case: { id: 'a', input: 'x' }, attempt: 1, output: 'y', solved: false };
  const { experimentId, batchId } = await imported(JSON.stringify(failed));
  const run = await database().prisma.run.update({
    where: { id: (await firstRun(batchId)).id },
    data: { status: 'failed' },
  });
  const started = await startBatch(
    context,
    TESTER,
    experimentId,
    { input: 'x' },
    { idempotencyKey: null, watched: false },
  );
  const refusal = {
    ok: false,
    problem: { code: 'conflict', message: expect.stringContaining('Duplicate the experiment') },
  };
  expect([started, await resumeRun(context, TESTER, run.id)]).toMatchObject([refusal, refusal]);
  expect(context.sent).toEqual([]);
});

test('a duplicate of an imported experiment needs its own scoring', async () => {
  const past = { run: 'scored', case: { id: 'a', input: 'x' }, attempt: 1, output: 'y', score: 0.5 };
  const { experimentId } = await imported(JSON.stringify(past));
  const duplicate = (settings: object) =>
    createExperiment(testContext(database()), TESTER, {
      ...{ name: 'Again', parentId: experimentId, parentVersion: 1 },
      ...{ generator: PRACTICE_SUMS.generator, ...settings },
    });
  expect(await duplicate({})).toMatchObject({ ok: false, problem: { field: 'criteria.0.evaluator' } });
  expect(await duplicate({ criteria: PRACTICE_SUMS.criteria })).toMatchObject({ ok: true });
});

function firstRun(batchId: string) {
  return database().prisma.run.findFirstOrThrow({ where: { batchId } });
}

test('returns not_found for an unknown experiment', async () => {
  const none = await exportRuns({ database: database() }, '00000000-0000-4000-8000-000000000000', 'jsonl');
  expect(none).toMatchObject({ ok: false, problem: { code: 'not_found', field: 'experimentId' } });
});
