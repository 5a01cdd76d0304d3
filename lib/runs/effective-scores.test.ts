import { describe, expect, test } from 'vitest';
import { currentScore } from '#components/run/run-versions.ts';
import { scoreOf } from '#lib/core/scored-versions.ts';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { findLesson } from '#lib/lessons/queries.ts';
import { storeLesson } from '#lib/lessons/test-texts/stored-lesson.test-support.ts';
import { PRACTICE_WRITING, queuedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { listRuns } from './list-runs.ts';
import { loadRun } from './load-run.ts';
import { findRun, findRunResult } from './queries.ts';

const db = useTestDatabase();

type Given = { by: 'machine' | 'person'; score: number | null; decision?: 'override' | 'restore'; of?: number };
const machine = (score: number | null): Given => ({ by: 'machine', score });
const person = (score: number | null): Given => ({ by: 'person', score, decision: 'override' });
/** Restores the score of the evaluation `of`. */
const restore = (score: number | null, of: number): Given => ({ by: 'person', score, decision: 'restore', of });

/** Performs a run with one version, whose evaluations are replaced by the given ones. */
async function evaluated(evaluations: Given[]) {
  const { prisma } = db.database();
  const settings = { ...PRACTICE_WRITING, maxIterations: 0 };
  const runId = await queuedRun(testContext(db.database()), settings, { input: 'Explain the refund policy.' });
  await performRun(testWorkerContext(testContext(db.database())), runId);
  const made = await prisma.evaluation.findFirstOrThrow({ where: { runId } });
  await prisma.evaluation.deleteMany({ where: { runId } });
  for (const [ordinal, { by, score, decision, of }] of evaluations.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, ordinal));
    await prisma.evaluation.create({
      data: {
        ...{ ...made, issues: [], reasons: {}, proposed: undefined, ordinal, by, createdAt, overallScore: score },
        ...{
          status: score === null ? 'partial' : 'scored',
          criteriaScores: { quality: score, tone: (of ?? ordinal) / 10 },
        },
      },
    });
    if (decision !== undefined)
      await prisma.decision.create({
        data: { runId, ordinal, hook: 'onReflection', version: 0, iteration: 0, decision, by, step: 9, at: createdAt },
      });
  }
  return runId;
}

describe('every reader takes the same evaluation of a version', () => {
  test.each<[string, Given[], number | null]>([
    ['a score', [machine(0.4)], 0.4],
    ['a score by a person', [machine(0.4), person(0.9)], 0.9],
    ['a full score by a person before a partial one', [machine(null), person(0.9), person(null)], 0.9],
    ['a full score by a person before a score by the machine', [person(0.9), machine(0.4)], 0.9],
    ['a score by the machine after a partial one by a person', [person(null), machine(0.4)], 0.4],
    ['a partial score by a person', [machine(0.4), person(null)], null],
    ['a restored score', [machine(0.4), person(0.9), restore(0.4, 0)], 0.4],
    ['a restored partial score', [machine(null), person(0.9), restore(null, 0)], null],
    ['a score by a person after a restored one', [machine(null), person(0.9), restore(null, 0), person(0.7)], 0.7],
  ])('%s', async (_name, evaluations, expected) => {
    const runId = await evaluated(evaluations);
    const lessonId = await storeLesson(db.database(), { createdAt: new Date(0) });
    await db.database().prisma.recall.create({ data: { runId, version: 0, rank: 9, lessonId } });
    const stored = await loadRun(db.database(), runId);
    if (stored === null) throw new Error('no run');
    const [listed] = (await listRuns(db.database(), { experimentId: stored.run.experimentId, cursor: null, limit: 5 }))
      .items;
    const lesson = await findLesson(db.database(), lessonId);
    const found = await findRun(db.database(), runId);
    expect({
      history: scoreOf(stored.history, 0),
      result: (await findRunResult(db.database(), runId))?.score,
      list: listed?.scores,
      lesson: lesson?.recalls.map(({ scoreAfter }) => scoreAfter),
      page: found?.record.versions.map(currentScore),
    }).toEqual({ history: expected, result: expected, list: [expected], lesson: [expected], page: [expected] });
  });
});

describe('lists use the scores since the validation set was redrawn', () => {
  test.each<[string, Given[], number, number | null]>([
    ['over a score by a person before it', [person(0.9), machine(0.4)], 1, 0.4],
    ['over all earlier scores', [machine(0.4), machine(0.6)], 1, 0.6],
    ['unless there are none', [machine(0.4), person(0.9)], 2, 0.9],
  ])('%s', async (_name, evaluations, after, expected) => {
    const runId = await evaluated(evaluations);
    const { prisma } = db.database();
    for (const ordinal of evaluations.keys())
      await prisma.evaluation.updateMany({ where: { runId, ordinal }, data: { step: 10 * (ordinal + 1) } });
    const redraw = { toTraining: [], toValidation: [], step: 10 * after + 5, createdAt: new Date(0).toISOString() };
    await prisma.run.update({ where: { id: runId }, data: { redraw } });
    const stored = await loadRun(db.database(), runId);
    if (stored === null) throw new Error('no run');
    const { experimentId } = stored.run;
    const runs = await listRuns(db.database(), { experimentId, cursor: null, limit: 5 });
    const experiments = await listExperiments(db.database(), { cursor: null, limit: 100 });
    expect({
      history: scoreOf(stored.history, 0),
      run: runs.items[0]?.scores,
      experiment: experiments.items.find(({ id }) => id === experimentId)?.recentScores,
    }).toEqual({ history: expected, run: [expected], experiment: [expected] });
  });

  test('of other versions', async () => {
    const runId = await evaluated([machine(0.4), machine(0.6)]);
    const { prisma } = db.database();
    await prisma.evaluation.updateMany({ where: { runId, ordinal: 1 }, data: { version: 1, step: 20 } });
    await prisma.run.update({ where: { id: runId }, data: { redraw: { toTraining: [], toValidation: [], step: 10 } } });
    const runs = await listRuns(db.database(), { cursor: null, limit: 100 });
    expect(runs.items.find(({ id }) => id === runId)?.scores).toEqual([null, 0.6]);
  });
});
