import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { saveProvider } from '#lib/models/change-providers.ts';
import { findBatch } from '#lib/runs/batches.ts';
import { listVersionOutcomes } from '#lib/runs/list-runs.ts';
import { PRACTICE_SUMS, PRACTICE_WRITING, TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { listSavedViews, removeView, saveView } from '#lib/views/saved-views.ts';
import { createExperiment } from './create-experiment.ts';
import { listExperiments } from './list-experiments.ts';
import { countExperiments } from './queries.ts';
import { EXPERIMENT_SORTS, type ExperimentFilter, type ExperimentSort } from './schema.ts';

const db = useTestDatabase();
const shop = () => testContext(db.database());

/** Outcome columns of a run. */
type Outcome = { satisfied: string; first: number | null; best: number | null; cost: number; status?: string };

async function experimentWith(name: string, settings: object, outcomes: Outcome[], createdAt: Date) {
  const context = shop();
  const { id } = unwrap(await createExperiment(context, TESTER, { name, ...settings }));
  const { prisma } = db.database();
  await prisma.experiment.update({ where: { id }, data: { createdAt } });
  if (outcomes.length === 0) return id;
  const cases = outcomes.map((_, at) => ({ input: `${name} ${at}`, reference: 'yes' }));
  const { runIds } = unwrap(await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
  for (const [index, { satisfied, first, best, cost, status = 'finished' }] of outcomes.entries())
    await prisma.run.update({
      where: { id: runIds[index] ?? '' },
      data: {
        status,
        satisfied,
        success: satisfied.endsWith('1'),
        firstScore: first,
        bestScore: best,
        costUsd: cost,
        createdAt: new Date(createdAt.getTime() + index),
        finishedAt: status === 'finished' ? createdAt : null,
      },
    });
  return id;
}

const at = (day: number) => new Date(Date.UTC(2026, 10, day));
const hard: Outcome = { satisfied: '00', first: 0.2, best: 0.3, cost: 0.01 };
const good: Outcome = { satisfied: '01', first: 0.5, best: 0.9, cost: 0.01 };

describe('listExperiments', () => {
  const OTHER = { ...PRACTICE_WRITING, generator: { provider: 'elsewhere', model: 'grand' } };

  test('filters and sorts as requested', async () => {
    unwrap(
      await saveProvider(shop(), TESTER, {
        name: 'elsewhere',
        kind: 'openai-compatible',
        baseUrl: 'http://127.0.0.1:9/v1',
      }),
    );
    await experimentWith('beta, hard', PRACTICE_WRITING, Array(10).fill(hard), at(1));
    const notScored = { satisfied: '', first: null, best: null, cost: 0, status: 'stopped' };
    await experimentWith('Alpha, good', PRACTICE_SUMS, [good, good, notScored], at(2));
    await experimentWith('gamma, waits', OTHER, [good, { ...hard, status: 'waiting' }], at(3));
    const control = await experimentWith('delta, control', PRACTICE_SUMS, [], at(4));
    const { prisma } = db.database();
    await prisma.experiment.update({ where: { id: control }, data: { origin: 'control', control: 'equal_cost' } });

    const names = async (filter: Partial<ExperimentFilter>, sort: ExperimentSort = 'newest') => {
      const { items } = await listExperiments(db.database(), { cursor: null, limit: 50, sort, ...filter });
      return items.map(({ name }) => name.split(',')[0]);
    };
    expect(await names({})).toEqual(['delta', 'gamma', 'Alpha', 'beta']);
    expect(await names({ search: 'a, ' })).toEqual(['delta', 'gamma', 'Alpha', 'beta']);
    expect(await names({ mode: 'retry' })).toEqual(['delta', 'Alpha']);
    expect(await names({ model: 'grand' })).toEqual(['gamma']);
    expect(await names({ models: 'real' })).toEqual(['gamma']);
    expect(await names({ models: 'practice' })).toEqual(['delta', 'Alpha', 'beta']);
    expect(await names({ origin: 'control' })).toEqual(['delta']);
    expect(await names({ origin: 'sample' })).toEqual([]);
    expect(await names({ state: 'waiting' })).toEqual(['gamma']);
    expect(await names({ state: 'under_way' })).toEqual([]);
    expect(await names({ state: 'flagged' })).toEqual(['beta']);
    expect(await names({ mode: 'retry', models: 'real' })).toEqual([]);

    expect(await names({}, 'name')).toEqual(['Alpha', 'beta', 'delta', 'gamma']);
    expect(await names({}, 'needs_you')).toEqual(['gamma', 'Alpha', 'beta', 'delta']);
    expect(await names({}, 'last_run')).toEqual(['gamma', 'Alpha', 'beta', 'delta']);
    // gamma: its only ended run was solved. gamma has 1 of 1 and Alpha 2 of 2, so the newer comes first.
    expect(await names({}, 'success')).toEqual(['gamma', 'Alpha', 'beta', 'delta']);
    expect(await names({}, 'best_score')).toEqual(['Alpha', 'gamma', 'beta', 'delta']);
    // Cost per point: $0.0025 (Alpha), $0.02 / 5 (gamma), $0.01 (beta), none for delta.
    expect(await names({}, 'cost_per_point')).toEqual(['Alpha', 'gamma', 'beta', 'delta']);

    const { items } = await listExperiments(db.database(), { cursor: null, limit: 50 });
    expect(items).toMatchObject([
      { control: 'equal_cost', flag: null, runCount: 0, costPerPointUsd: null, practice: true },
      { waiting: 1, practice: false, qualityThreshold: 0.8 },
      { waiting: 0, ended: 2, solved: 2, costPerPointUsd: expect.closeTo(0.0025, 9) },
      { flag: 'overcritical', ended: 10, solved: 0 },
    ]);
    const counts = await countExperiments(db.database());
    expect(counts).toEqual([
      { mode: 'revise', model: 'grand', count: 1, waiting: 1 },
      { mode: 'retry', model: 'practice-1', count: 2, waiting: 0 },
      { mode: 'revise', model: 'practice-1', count: 1, waiting: 0 },
    ]);
  });

  test('reports if several runs may share a case', async () => {
    const id = await experimentWith('eta, repeats', PRACTICE_SUMS, [good, good], at(6));
    const mayRepeat = async () => {
      const { items } = await listExperiments(db.database(), { cursor: null, limit: 1, search: 'eta, repeats' });
      return items.map(({ mayRepeatCases }) => mayRepeatCases);
    };
    expect(await mayRepeat()).toEqual([false]);
    const { prisma } = db.database();
    const batch = await prisma.batch.findFirstOrThrow({ where: { experimentId: id } });
    await prisma.batch.update({ where: { id: batch.id }, data: { repetitions: 2 } });
    expect(await mayRepeat()).toEqual([true]);
    await prisma.batch.update({ where: { id: batch.id }, data: { repetitions: 1 } });
    const options = { idempotencyKey: null, watched: false };
    unwrap(await startBatch(shop(), TESTER, id, { cases: [{ input: 'eta 0', reference: 'yes' }] }, options));
    expect(await mayRepeat()).toEqual([true]);
    await prisma.experiment.delete({ where: { id } });
  });

  test('counts the mean of several runs of a case as one score', async () => {
    const { prisma } = db.database();
    const id = await experimentWith('theta, means', PRACTICE_SUMS, [hard, good, good], at(6));
    const runs = await prisma.run.findMany({ where: { experimentId: id }, orderBy: { position: 'asc' } });
    await prisma.run.update({ where: { id: runs[2]?.id ?? '' }, data: { input: runs[1]?.input ?? '' } });
    for (const [index, { id: runId, experimentVersion }] of runs.entries())
      await prisma.runMeasure.create({
        data: {
          ...{
            runId,
            experimentId: id,
            experimentVersion,
            format: 1,
            endedAt: at(6),
            scores: [index === 0 ? 0.2 : 0.8],
          },
          ...{
            scoredVersions: 1,
            lastSatisfactory: false,
            evaluations: 1,
            unscored: 0,
            issuesNamed: 0,
            issuesResolved: 0,
          },
          ...{ checksFailing: 0, checksCorrected: 0, checksPassing: 0, checksIntroduced: 0 },
          ...{ retriesAfterFail: 0, repeatedAnswers: 0 },
        },
      });
    const { items } = await listExperiments(db.database(), { cursor: null, limit: 1, search: 'theta' });
    expect(items[0]?.meanScores).toEqual([0.5]);
    await prisma.experiment.delete({ where: { id } });
  });

  test('counts unscored runs neither as solved nor as unsolved, like the batch report', async () => {
    const unscored = { satisfied: '00', first: null, best: null, cost: 0.01 };
    const notScored = { satisfied: '', first: null, best: null, cost: 0, status: 'stopped' };
    const outcomes = [...Array(12).fill(unscored), ...Array(3).fill(notScored), good, hard];
    const id = await experimentWith('zeta, unscored', PRACTICE_SUMS, outcomes, at(5));
    const { items } = await listExperiments(db.database(), { cursor: null, limit: 1, search: 'zeta' });
    expect(items).toMatchObject([{ runCount: 17, ended: 2, unscored: 15, solved: 1, flag: 'unscored' }]);
    const flagged = await listExperiments(db.database(), { cursor: null, limit: 5, search: 'zeta', state: 'flagged' });
    expect(flagged.items).toHaveLength(1);
    const batch = await db.database().prisma.batch.findFirstOrThrow({ where: { experimentId: id } });
    const report = (await findBatch(db.database(), batch.id))?.report;
    expect(report).toMatchObject({ ended: 17, unscored: 15, solvedShare: { n: items[0]?.ended, solved: 1 } });
    expect(await listVersionOutcomes(db.database(), id)).toMatchObject([{ runs: 17, solved: { met: 1, of: 2 } }]);
    await db.database().prisma.experiment.delete({ where: { id } });
  });

  test.each(EXPERIMENT_SORTS)('pages by %s without gaps or duplicates', async (sort) => {
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listExperiments>> = await listExperiments(db.database(), {
        cursor,
        limit: 3,
        sort,
      });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(found).toHaveLength(4);
    expect(new Set(found).size).toBe(4);
  });
});

describe('saved views', () => {
  const other = { ...TESTER, id: 'other' };

  test('are kept per person under unique names, and only their owner can delete them', async () => {
    const view = (name: string, query: string) => ({ page: 'experiments', name, query });
    expect(unwrap(await saveView(shop(), TESTER, view(' Mine ', 'mode=retry')))).toEqual({ name: 'Mine' });
    unwrap(await saveView(shop(), TESTER, view('Mine', 'mode=tune')));
    unwrap(await saveView(shop(), other, view('Mine', 'q=x')));
    const [kept, ...more] = await listSavedViews(db.database(), TESTER.id, 'experiments');
    expect([kept?.name, kept?.query, more.length]).toEqual(['Mine', 'mode=tune', 0]);
    expect(await removeView(shop(), other, kept?.id ?? '')).toMatchObject({ problem: { code: 'not_found' } });
    unwrap(await removeView(shop(), TESTER, kept?.id ?? ''));
    expect(await listSavedViews(db.database(), TESTER.id, 'experiments')).toEqual([]);
    expect(await listSavedViews(db.database(), other.id, 'experiments')).toHaveLength(1);
  });

  test.each([
    { name: 'without a name', input: { page: 'experiments', name: ' ', query: '' }, field: 'name' },
    { name: 'for an unknown page', input: { page: 'settings', name: 'x', query: '' }, field: 'page' },
    {
      name: 'with a query that is too long',
      input: { page: 'experiments', name: 'x', query: 'q'.repeat(1_001) },
      field: 'query',
    },
  ])('refuses $name', async ({ input, field }) => {
    expect(await saveView(shop(), TESTER, input)).toMatchObject({ problem: { code: 'invalid', field } });
  });

  test('refuses a 21st view, but still updates an existing one', async () => {
    for (let count = 0; count < 20; count++)
      unwrap(await saveView(shop(), TESTER, { page: 'experiments', name: `View ${count}`, query: '' }));
    const one = { page: 'experiments', name: 'One more', query: '' };
    expect(await saveView(shop(), TESTER, one)).toMatchObject({ problem: { code: 'conflict' } });
    unwrap(await saveView(shop(), TESTER, { ...one, name: 'View 3' }));
  });

  test('enforces the limit of twenty for concurrent saves', async () => {
    const hasty = { ...TESTER, id: 'hasty', memberId: 'hasty' };
    const saved = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        saveView(shop(), hasty, { page: 'experiments', name: `View ${at}`, query: '' }),
      ),
    );
    expect(saved.filter(({ ok }) => ok)).toHaveLength(20);
    expect(await listSavedViews(db.database(), 'hasty', 'experiments')).toHaveLength(20);
  });
});
