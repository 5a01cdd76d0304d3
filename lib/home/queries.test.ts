import { afterEach, describe, expect, test } from 'vitest';
import { insertArm } from '#lib/compare/insert-arm.test-support.ts';
import { beginOfMonth } from '#lib/settings/schema.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findFailedRuns, findOverview, listLabelledPrompts, listTrends, sumSpend } from './queries.ts';

const db = useTestDatabase();
const NOW = new Date('2026-11-25T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

afterEach(async () => {
  const { prisma } = db.database();
  await prisma.experiment.deleteMany();
  await prisma.prompt.deleteMany();
  await prisma.provider.deleteMany();
  await prisma.otherSpend.deleteMany();
});

describe('findOverview', () => {
  test('counts nothing in an empty installation', async () => {
    expect(await findOverview(db.database(), [])).toEqual({
      ...{ waiting: 0, running: 0, queued: 0, lessonsToReview: 0 },
      hasOwn: false,
    });
  });

  test('counts runs by status', async () => {
    const database = db.database();
    const { runIds } = await insertArm(database, {
      runs: ['waiting', 'waiting', 'running', 'queued', 'finished'].map((input) => ({ input, scores: [1] })),
    });
    for (const [index, status] of ['waiting', 'waiting', 'running', 'queued'].entries())
      await database.prisma.run.update({ where: { id: runIds[index] ?? '' }, data: { status } });
    expect(await findOverview(database, [])).toMatchObject({ waiting: 2, running: 1, queued: 1, hasOwn: true });
  });

  test('distinguishes samples from content that people created', async () => {
    const database = db.database();
    const { prisma } = database;
    const { experimentId } = await insertArm(database, { runs: [] });
    await prisma.experiment.update({ where: { id: experimentId }, data: { sample: true } });
    await prisma.prompt.create({ data: { name: 'sample', setup: {}, createdAt: NOW, updatedAt: NOW } });
    expect((await findOverview(database, ['sample'])).hasOwn).toBe(false);
    expect((await findOverview(database, [])).hasOwn).toBe(true);
  });
});

test('lists the newest failed runs of the last days with their reasons and total', async () => {
  const database = db.database();
  const { runIds } = await insertArm(database, {
    name: 'Failing',
    runs: ['old', 'first', 'second', 'fine'].map((input) => ({ input, scores: [null] })),
  });
  for (const [index, days] of [8, 3, 1].entries())
    await database.prisma.run.update({
      where: { id: runIds[index] ?? '' },
      data: { status: 'failed', finishedAt: daysAgo(days), failure: { kind: 'model_failed', message: `no. ${index}` } },
    });
  const { runs, total } = await findFailedRuns(database, NOW, 1);
  expect(total).toBe(2);
  expect(runs).toMatchObject([{ input: 'second', experimentName: 'Failing', message: 'no. 2' }]);
  expect((await findFailedRuns(database, daysAgo(-30), 5)).total).toBe(0);
});

test('lists a run that failed without a failed call with its stop reason', async () => {
  const database = db.database();
  const { runIds } = await insertArm(database, { name: 'Unscored', runs: [{ input: 'a', scores: [null] }] });
  await database.prisma.run.update({
    where: { id: runIds[0] ?? '' },
    data: { status: 'failed', finishedAt: daysAgo(1), convergenceReason: 'evaluation_failed' },
  });
  const { runs } = await findFailedRuns(database, NOW, 1);
  expect(runs).toMatchObject([{ input: 'a', message: '', reason: 'evaluation_failed' }]);
});

describe('listTrends', () => {
  const once = (input: string, score: number | null) => ({ input, scores: [score] });

  test('counts ended and scored runs by version', async () => {
    const database = db.database();
    const arm = await insertArm(database, {
      name: 'Trend',
      runs: [once('a', 1), once('b', 0.5), once('c', null), { ...once('d', 0.2), status: 'running' }],
    });
    await insertArm(database, { name: 'Trend', of: arm, version: 2, runs: [once('a', 1), once('b', 1)] });
    const [trend] = await listTrends(database, 5);
    expect(trend).toMatchObject({ name: 'Trend', isPractice: true });
    expect(trend?.versions).toMatchObject([
      { version: 1, cases: 2, solved: { met: 1, of: 2 } },
      { version: 2, cases: 2, solved: { met: 2, of: 2 } },
    ]);
  });

  test('repeated cases do not narrow the interval', async () => {
    const database = db.database();
    const cases = Array.from({ length: 10 }, (_, at) => once(`case ${at}`, at < 5 ? 1 : 0));
    await insertArm(database, { name: 'Repeated', runs: Array.from({ length: 8 }, () => cases).flat() });
    await insertArm(database, { name: 'Once', runs: cases });
    const trends = await listTrends(database, 5);
    const [repeated, single] = ['Repeated', 'Once'].map((name) => trends.find((one) => one.name === name)?.versions[0]);
    expect(repeated).toMatchObject({ cases: 10, solved: { met: 40, of: 80 } });
    expect(single).toMatchObject({ cases: 10, solved: { met: 5, of: 10 } });
    expect(repeated?.solved.interval?.low).toBeCloseTo(single?.solved.interval?.low ?? 0, 2);
    expect(repeated?.solved.interval?.high).toBeCloseTo(single?.solved.interval?.high ?? 0, 2);
  });

  test('returns no versions without ended runs', async () => {
    const database = db.database();
    await insertArm(database, { name: 'None', runs: [] });
    expect(await listTrends(database, 5)).toMatchObject([{ name: 'None', versions: [] }]);
  });

  test('lists experiments by their last start, up to the limit', async () => {
    const database = db.database();
    for (const [name, days] of [['Older', 2] as const, ['Newer', 1] as const]) {
      const { experimentId } = await insertArm(database, { name, runs: [] });
      await database.prisma.batch.updateMany({ where: { experimentId }, data: { createdAt: daysAgo(days) } });
    }
    expect((await listTrends(database, 5)).map(({ name }) => name)).toEqual(['Newer', 'Older']);
    expect(await listTrends(database, 1)).toHaveLength(1);
  });
});

test('lists labels by when they were moved', async () => {
  const database = db.database();
  await database.prisma.prompt.create({
    data: {
      ...{ name: 'mail', setup: {}, createdAt: NOW, updatedAt: NOW },
      labels: {
        create: [
          { label: 'staging', version: 3, movedBy: 'Ada', movedAt: daysAgo(2) },
          { label: 'production', version: 2, movedBy: 'Ben', movedAt: daysAgo(1) },
        ],
      },
    },
  });
  expect(await listLabelledPrompts(database, 5)).toEqual([
    { name: 'mail', label: 'production', version: 2, movedBy: 'Ben', movedAt: daysAgo(1).toISOString() },
    { name: 'mail', label: 'staging', version: 3, movedBy: 'Ada', movedAt: daysAgo(2).toISOString() },
  ]);
  expect(await listLabelledPrompts(database, 1)).toHaveLength(1);
});

test('sums the spend of the month by provider over runs and other calls', async () => {
  const database = db.database();
  const { runIds } = await insertArm(database, { runs: [{ input: 'a', scores: [1] }] });
  const call = (ordinal: number, provider: string, costUsd: number | null, createdAt: Date) => ({
    ...{ runId: runIds[0] ?? '', step: 0, ordinal, fingerprint: '', role: 'generator', provider, model: 'm' },
    ...{ instructions: '', prompt: '', options: {}, inputTokens: 1, outputTokens: 1, costUsd, latencyMs: 1 },
    ...{ attempts: 1, warnings: [], createdAt },
  });
  await database.prisma.modelCall.createMany({
    data: [
      call(0, 'clerk', 0.5, daysAgo(1)),
      call(1, 'clerk', null, daysAgo(1)),
      call(2, 'practice', 2, daysAgo(1)),
      call(3, 'clerk', 9, daysAgo(40)),
    ],
  });
  const other = { purpose: 'playground', calls: 1, inputTokens: 1, outputTokens: 1, createdAt: daysAgo(2) };
  await database.prisma.otherSpend.create({ data: { ...other, provider: 'clerk', costUsd: 0.25, unpricedCalls: 2 } });
  expect(await sumSpend(database, beginOfMonth(NOW))).toEqual([
    { provider: 'practice', costUsd: 2, unpriced: 0 },
    { provider: 'clerk', costUsd: 0.75, unpriced: 3 },
  ]);
});
