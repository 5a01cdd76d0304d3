import { describe, expect, test } from 'vitest';
import { startControl } from '#lib/batches/start-control.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { planEvaluation } from '#lib/prompts/plan-evaluation.ts';
import { createPrompt } from '#lib/prompts/prompt-library.ts';
import { findRun } from '#lib/runs/queries.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { startTrial } from '#lib/trials/start-trial.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { branchRun } from './branch-run.ts';
import { resumeBatch } from './resume-batch.ts';
import { resumeRun } from './resume-run.ts';
import { startBatch } from './start-batch.ts';

const db = useTestDatabase();
const UNWATCHED = { idempotencyKey: null, watched: false };
const EXACT = { name: 'exact', evaluator: 'reference' as const, config: { match: 'exact' as const } };
const AGAINST = { name: 'as good', evaluator: 'comparison' as const, config: { against: 'reference' as const } };
const JUDGED = { name: 'as asked', evaluator: 'llm' as const };
const NUMBER = { name: 'sum', evaluator: 'reference' as const, config: { match: 'numeric' as const } };
const TUNED: ExperimentSettingsInput = {
  ...PRACTICE_SUMS,
  mode: 'tune',
  prompts: { generate: 'Answer: {{input}}' },
};

async function shopWith(settings: ExperimentSettingsInput = PRACTICE_SUMS) {
  const context = testContext(db.database());
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Sums', ...settingsSchema.parse(settings) }));
  return { context, id, start: (input: unknown) => startBatch(context, TESTER, id, input, UNWATCHED) };
}

const runsOf = async (experimentId: string) =>
  (await db.database().pool.query('SELECT 1 FROM runs WHERE experiment_id = $1', [experimentId])).rowCount;

describe('refuses a case that cannot be scored before any cost', () => {
  test.each([
    { name: 'without a reference', settings: PRACTICE_SUMS, says: ['"What is 2 + 2?"', 'no reference', '"exact"'] },
    {
      name: 'without a reference for a comparison',
      settings: { ...PRACTICE_WRITING, criteria: [AGAINST] },
      says: ['no reference', '"as good"'],
    },
    {
      name: 'with a blank reference for a comparison',
      settings: { ...PRACTICE_WRITING, criteria: [AGAINST] },
      reference: ' ',
      says: ['no reference', '"as good"'],
    },
    {
      name: 'without a reference that the judge prompt uses',
      settings: { ...PRACTICE_WRITING, criteria: [{ ...JUDGED, config: { rubric: 'Same as {{reference}}' } }] },
      says: ['no reference', '"as asked"'],
    },
    {
      name: 'with a reference that is not a number',
      settings: { ...PRACTICE_SUMS, criteria: [NUMBER] },
      reference: 'four',
      says: ['not a number', '"sum"'],
    },
  ])('$name', async ({ settings, reference, says }) => {
    const { context, id, start } = await shopWith(settings);
    const refused = await start({ input: 'What is 2 + 2?', ...(reference === undefined ? {} : { reference }) });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', field: 'reference' } });
    if (!refused.ok) for (const words of says) expect(refused.problem.message).toContain(words);
    expect(context.sent).toEqual([]);
    expect(await runsOf(id)).toBe(0);
  });

  test('starts with a reference, or if no criterion needs one', async () => {
    const sums = await shopWith();
    expect(await sums.start({ input: 'What is 2 + 2?', reference: '4' })).toMatchObject({ ok: true });
    const writing = await shopWith({
      ...PRACTICE_WRITING,
      criteria: [
        { name: 'own', evaluator: 'function', config: { code: 'function evaluate({reference}) { return 1 }' } },
      ],
    });
    expect(await writing.start({ input: 'What is 2 + 2?' })).toMatchObject({ ok: true });
  });

  test('names the metadata field that the judge prompt needs and a case lacks', async () => {
    const { start, context } = await shopWith({ ...PRACTICE_WRITING, prompts: { evaluate: 'In {{metadata.lang}}' } });
    const cases = [{ input: 'a', metadata: { lang: 'de' } }, { input: 'b' }];
    expect(await start({ cases })).toMatchObject({
      problem: { field: 'cases.1.metadata.lang', message: expect.stringContaining('no metadata field "lang"') },
    });
    expect(context.sent).toEqual([]);
    expect(await start({ cases: cases.slice(0, 1) })).toMatchObject({ ok: true });
  });

  test('names the first invalid case and the number of invalid cases', async () => {
    const { start, context } = await shopWith();
    const cases = [{ input: 'a', reference: 'A' }, { input: 'b' }, { input: 'c', reference: 'C' }, { input: 'd' }];
    const refused = await start({ cases });
    expect(refused).toMatchObject({
      problem: {
        code: 'invalid',
        field: 'cases.1.reference',
        message: expect.stringContaining('2 of 4 cases have no'),
      },
    });
    expect(refused).toMatchObject({ problem: { message: expect.stringContaining('case 2 ("b") and case 4 ("d")') } });
    expect(context.sent).toEqual([]);
  });

  test.each([
    ['an experiment', PRACTICE_SUMS],
    ['a prompt that is tuned', TUNED],
  ])('refuses a dataset of %s as a whole', async (_name, settings) => {
    const { start, context } = await shopWith(settings);
    const inputs = ['a', 'b', 'c', 'd', 'e', 'f'];
    const cases = inputs.map((input, at) => ({ input, reference: at === 0 ? 'A' : null }));
    const { id: datasetId } = unwrap(await createDataset(context, TESTER, { name: 'Mixed', cases }));
    expect(await start({ datasetId })).toMatchObject({
      problem: {
        code: 'invalid',
        field: 'datasetId',
        message: expect.stringMatching(/^5 of 6 cases .*case 2 \("b"\), case 3 \("c"\), case 4 \("d"\) and 2 more/),
      },
    });
    expect(context.sent).toEqual([]);
  });
});

/** An ended batch of one case without a reference, whose experiment now requires one. */
async function endedBefore() {
  const { context, id, start } = await shopWith(PRACTICE_WRITING);
  const { batchId, runIds } = unwrap(await start({ input: 'Write a guide to code reviews' }));
  const [runId = ''] = runIds;
  await performRun(testWorkerContext(context), runId);
  unwrap(await updateExperiment(context, TESTER, id, { criteria: [EXACT] }));
  context.sent.length = 0;
  return { context, id, batchId, runId };
}

describe('is also refused for', () => {
  test('a branch', async () => {
    const { context, runId } = await endedBefore();
    const refused = await branchRun(context, TESTER, runId, { version: 0 }, { watched: false });
    expect(refused).toMatchObject({ problem: { code: 'conflict', message: expect.stringContaining('no reference') } });
    expect(context.sent).toEqual([]);
  });

  test('a lesson trial, with and without a dataset', async () => {
    const { context, id } = await endedBefore();
    const { rows } = await db.database().pool.query<{ id: string }>(
      `INSERT INTO lessons (id, kind, status, text, block, agent, task_type, tools, source_input, created_by, created_at)
       VALUES (gen_random_uuid(), 'lesson', 'promoted', 'Be brief.', 'b', NULL, NULL, '{}', 'else', 'Ada', now()) RETURNING id`,
    );
    const cases = [{ input: 'a', reference: null }];
    const { id: datasetId } = unwrap(await createDataset(context, TESTER, { name: 'Bare', cases }));
    for (const [given, field] of [
      [{ datasetId }, 'datasetId'],
      [{}, 'experimentId'],
    ] as const) {
      const refused = await startTrial(context, TESTER, rows[0]?.id ?? '', { experimentId: id, ...given });
      expect(refused).toMatchObject({ problem: { field, message: expect.stringContaining('no reference') } });
    }
    expect(context.sent).toEqual([]);
  });

  test('a control of an earlier batch', async () => {
    const { context, id, start } = await shopWith();
    const { batchId } = unwrap(await start({ input: 'What is 2 + 2?', reference: '4' }));
    await db
      .database()
      .pool.query(`UPDATE runs SET reference = NULL, status = 'finished', input_tokens = 9 WHERE experiment_id = $1`, [
        id,
      ]);
    context.sent.length = 0;
    const refused = await startControl(context, TESTER, batchId, { control: 'equal_cost' }, { atOnce: 1 });
    expect(refused).toMatchObject({ problem: { code: 'conflict', message: expect.stringContaining('no reference') } });
    expect(context.sent).toEqual([]);
  });

  test('a playground evaluation of which no case can be scored', async () => {
    const context = testContext(db.database());
    const cases = [
      { input: 'a', reference: 'A', tags: ['train'] },
      { input: 'b', reference: null, tags: ['train'] },
    ];
    const { id: datasetId } = unwrap(await createDataset(context, TESTER, { name: 'Half', cases }));
    const setup = { datasetId, criteria: [EXACT] };
    unwrap(await createPrompt(context, TESTER, { name: 'half', text: 'Say {{input}}', setup }));
    const plan = (input: object) => planEvaluation(context, 'half', { texts: [{ version: 1 }], ...input });
    expect(await plan({ positions: [1] })).toMatchObject({
      problem: {
        code: 'conflict',
        field: 'positions',
        message: expect.stringContaining('The case "b" has no reference'),
      },
    });
    expect(await plan({ positions: [1], pay: false })).toMatchObject({ ok: true, value: { calls: 0, cells: [] } });
  });
});

describe('an earlier run whose case cannot be scored', () => {
  /** Starts a valid run, then removes what its criteria need and performs it to its end. */
  async function broken() {
    const { context, id, start } = await shopWith();
    const { batchId, runIds } = unwrap(await start({ input: 'What is 2 + 2?', reference: '4' }));
    const [runId = ''] = runIds;
    await db.database().pool.query('UPDATE runs SET reference = NULL WHERE experiment_id = $1', [id]);
    await performRun(testWorkerContext(context), runId);
    context.sent.length = 0;
    return { context, batchId, runId };
  }

  test('reports the missing input instead of a judge failure', async () => {
    const { runId } = await broken();
    const found = await findRun(db.database(), runId);
    expect(found?.record).toMatchObject({
      status: 'failed',
      convergenceReason: 'evaluation_failed',
      failure: { kind: 'no_reference', message: expect.stringContaining('has no reference, and "exact"') },
    });
  });

  test('cannot be resumed, alone or with its batch, because it would fail again', async () => {
    const { context, batchId, runId } = await broken();
    const refused = { problem: { code: 'conflict', message: expect.stringContaining('would fail again') } };
    expect(await resumeRun(context, TESTER, runId)).toMatchObject(refused);
    expect(await resumeBatch(context, TESTER, batchId)).toMatchObject(refused);
    expect(context.sent).toEqual([]);
  });
});
