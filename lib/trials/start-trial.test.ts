import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { LessonStatus } from '#lib/core/lesson-schema.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { deleteExperiment } from '#lib/experiments/delete-experiment.ts';
import { findExperimentVersion } from '#lib/experiments/queries.ts';
import { findLifts, findTrials } from '#lib/lessons/queries.ts';
import { findBatch } from '#lib/runs/batches.ts';
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
import { performRun } from '#lib/worker/perform-run.ts';
import { planTrial, startTrial } from './start-trial.ts';

const db = useTestDatabase();
const SOURCE = 'Explain our rate limits to a new user';
const TASKS = [
  'Describe our release process to a new colleague',
  'Write a guide to code reviews for developers',
  'Explain the refund policy to customers',
  'Write a note on password rules for all users',
];
const ADVICE =
  'Next time, add an example; list the steps in order, numbered; end with a one-line summary; say what to do when something goes wrong; replace vague words by what is really meant.';

async function contextWith(settings: Partial<ExperimentSettingsInput> = {}) {
  const context = testContext(db.database());
  const input = { ...PRACTICE_WRITING, maxIterations: 0, callbacks: { pause: 'always' as const }, ...settings };
  const { id: experimentId } = unwrap(
    await createExperiment(context, TESTER, { name: 'Guides', ...settingsSchema.parse(input) }),
  );
  return { context, experimentId };
}

async function storedLesson(
  given: { status?: LessonStatus; text?: string; sourceInput?: string; mergedInto?: string } = {},
) {
  const { rows } = await db.database().pool.query<{ id: string }>(
    `INSERT INTO lessons (id, kind, status, text, block, agent, task_type, tools, source_input, created_by, created_at, merged_into_id)
     VALUES (gen_random_uuid(), 'lesson', $1, $2, 'reflexion_lessons', NULL, NULL, '{}', $3, 'Ada', now(), $4) RETURNING id`,
    [given.status ?? 'quarantined', given.text ?? ADVICE, given.sourceInput ?? SOURCE, given.mergedInto ?? null],
  );
  return rows[0]?.id ?? '';
}

async function datasetOf(context: ReturnType<typeof testContext>, inputs: string[]) {
  const cases = inputs.map((input) => ({ input, reference: null, tags: [], metadata: {} }));
  return unwrap(await createDataset(context, TESTER, { name: 'Cases', cases })).id;
}

describe('a trial', () => {
  test('runs the same cases without and with the lesson, excluding its source, and reports the lift', async () => {
    const { context, experimentId } = await contextWith();
    const lessonId = await storedLesson();
    const datasetId = await datasetOf(context, [...TASKS, SOURCE, TASKS[0] ?? '']);
    const started = unwrap(await startTrial(context, TESTER, lessonId, { experimentId, datasetId }));
    // One draft and one judgement per run, no revision.
    expect(started).toMatchObject({ cases: 4, leftOut: 2, runs: 8, calls: { lowest: 16, highest: 16 } });
    expect(new Set(context.sent).size).toBe(8);
    const before = (await findTrials(db.database(), lessonId))[0];
    expect(before).toMatchObject({ ended: 0, runs: 8, result: { n: 0, unscored: 4, lift: null } });
    expect(await findLifts(db.database(), [lessonId])).toEqual(new Map());

    for (const runId of context.sent) await performRun(testWorkerContext(context), runId);
    const [trial] = await findTrials(db.database(), lessonId);
    expect(trial).toMatchObject({
      experimentName: 'Trial of a lesson: Next time, add an example; list the steps in order, numbere…',
      requestedBy: 'Tester',
      ended: 8,
      repetitions: 1,
      result: { n: 4, unscored: 0, isSmall: true },
    });
    expect(trial?.result.lift).toBeGreaterThan(0.05);
    expect(trial?.cases.map((one) => one.case)).toEqual(TASKS);
    expect((await findLifts(db.database(), [lessonId])).get(lessonId)).toEqual(trial?.result);
  });

  test('uses the experiment settings except for lessons and pauses on both sides', async () => {
    const { context, experimentId } = await contextWith({ qualityThreshold: 0.77 });
    const lessonId = await storedLesson({ status: 'promoted' });
    const datasetId = await datasetOf(context, TASKS);
    const trial = unwrap(await startTrial(context, TESTER, lessonId, { experimentId, datasetId, repetitions: 2 }));
    expect(trial).toMatchObject({ cases: 4, runs: 16 });
    const settingsOf = async (version: number) =>
      (await findExperimentVersion(db.database(), trial.experimentId, version))?.settings;
    const [without, withIt] = [await settingsOf(1), await settingsOf(2)];
    const shared = { qualityThreshold: 0.77, maxIterations: 0, callbacks: { pause: 'never', escalate: false } };
    expect(without).toMatchObject({
      ...shared,
      lessons: { store: 'none', write: 'off', pinned: [], reflectOnEnd: false },
    });
    expect(withIt).toEqual({ ...without, lessons: { ...without?.lessons, pinned: [lessonId] } });
    const { rows } = await db.database().pool.query<{ version: number; inputs: string[] }>(
      `SELECT experiment_version AS version, array_agg(input ORDER BY position) AS inputs FROM runs
       WHERE experiment_id = $1 GROUP BY experiment_version ORDER BY experiment_version`,
      [trial.experimentId],
    );
    expect(rows).toEqual([1, 2].map((version) => ({ version, inputs: [...TASKS, ...TASKS] })));
    expect((await findBatch(db.database(), trial.batchWithId))?.report).toMatchObject({ total: 8, cases: 4 });
  });

  test('uses the cases of the newest batch if no dataset is given, as estimated', async () => {
    const { context, experimentId } = await contextWith();
    const cases = [SOURCE, ...TASKS.slice(0, 2)].map((input) => ({ input }));
    unwrap(await startBatch(context, TESTER, experimentId, { cases }, { idempotencyKey: null, watched: false }));
    const lessonId = await storedLesson();
    const plan = unwrap(await planTrial(context, lessonId, { experimentId }));
    const started = unwrap(await startTrial(context, TESTER, lessonId, { experimentId }));
    expect(plan.cases.map(({ input }) => input)).toEqual(TASKS.slice(0, 2));
    expect(started).toMatchObject({ cases: plan.cases.length, leftOut: plan.leftOut, calls: plan.calls });
  });

  test('excludes the source cases of merged lessons, also of deleted runs', async () => {
    const { context, experimentId } = await contextWith();
    const lessonId = await storedLesson();
    const long = `${'A long task. '.repeat(20)}Do it.`;
    await storedLesson({ mergedInto: lessonId, sourceInput: TASKS[0] ?? '' });
    await storedLesson({ mergedInto: lessonId, sourceInput: long.slice(0, 200) });
    const datasetId = await datasetOf(context, [...TASKS, long]);
    const plan = unwrap(await planTrial(context, lessonId, { experimentId, datasetId }));
    expect(plan.cases.map(({ input }) => input)).toEqual(TASKS.slice(1));
  });

  test('is deleted with its experiment while the lesson stays', async () => {
    const { context, experimentId } = await contextWith();
    const lessonId = await storedLesson();
    const datasetId = await datasetOf(context, TASKS);
    const trial = unwrap(await startTrial(context, TESTER, lessonId, { experimentId, datasetId }));
    unwrap(await deleteExperiment(context, TESTER, trial.experimentId));
    expect(await findTrials(db.database(), lessonId)).toEqual([]);
    expect(await findLifts(db.database(), [lessonId])).toEqual(new Map());
  });
});

describe('rejected input', () => {
  test.each<{ name: string; status?: LessonStatus; inputs?: string[]; input?: object; code: string; says: string }>([
    { name: 'a lesson that is not screened', status: 'candidate', code: 'conflict', says: 'screening' },
    { name: 'a rejected lesson', status: 'rejected', code: 'conflict', says: 'rejected' },
    { name: 'no cases except its source', inputs: [SOURCE], code: 'conflict', says: 'learned from all' },
    {
      name: 'an experiment without runs and without a dataset',
      input: { datasetId: null },
      code: 'conflict',
      says: 'has not run',
    },
    { name: 'no repetitions', input: { repetitions: 0 }, code: 'invalid', says: '1 to 10' },
    {
      name: 'too many runs',
      inputs: Array.from({ length: 60 }, (_, index) => `Task ${index}`),
      input: { repetitions: 10 },
      code: 'invalid',
      says: '500',
    },
    { name: 'an unknown setting', input: { topK: 3 }, code: 'invalid', says: 'topK' },
    {
      name: 'an unknown experiment',
      input: { experimentId: crypto.randomUUID() },
      code: 'not_found',
      says: 'experiment',
    },
    {
      name: 'an unknown dataset',
      input: { datasetId: crypto.randomUUID() },
      code: 'not_found',
      says: 'dataset',
    },
  ])('$name', async ({ status, inputs, input, code, says }) => {
    const { context, experimentId } = await contextWith(PRACTICE_SUMS);
    const lessonId = await storedLesson(status === undefined ? {} : { status });
    const datasetId = await datasetOf(context, inputs ?? TASKS);
    const refused = await startTrial(context, TESTER, lessonId, { experimentId, datasetId, ...input });
    expect(refused).toMatchObject({ ok: false, problem: { code, message: expect.stringContaining(says) } });
    expect(context.sent).toEqual([]);
    expect(await findTrials(db.database(), lessonId)).toEqual([]);
  });

  test('an unknown lesson', async () => {
    const { context, experimentId } = await contextWith();
    expect(await startTrial(context, TESTER, context.newId(), { experimentId })).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
  });
});
