import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Actor } from '#lib/auth/actor.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findAgreement, findBlindPairs, savePreference } from './blind-review.ts';

const db = useTestDatabase();
const BEA = { ...TESTER, id: 'bea', name: 'Bea' };
const AT = new Date('2026-11-22T06:00:00Z');
const SPEND = { inputTokens: 1, outputTokens: 1, costUsd: 0, durationMs: 1, step: 0, createdAt: AT };

type Made = { score: number | null; output?: string; dropped?: boolean; by?: 'machine' | 'person' };

/** Creates an experiment with runs of these versions, each with an evaluation. The text of version 2 of run 1 is "text 1.2". */
async function experimentOf(runs: Made[][]) {
  const { prisma } = db.database();
  const [experimentId, batchId] = [randomUUID(), randomUUID()];
  await prisma.experiment.create({ data: { id: experimentId, name: 'x' } });
  await prisma.experimentVersion.create({ data: { experimentId, version: 1, settings: {} } });
  await prisma.batch.create({ data: { id: batchId, experimentId, experimentVersion: 1, total: runs.length } });
  const runIds: string[] = [];
  for (const [position, versions] of runs.entries()) {
    const runId = randomUUID();
    runIds.push(runId);
    const run = { id: runId, experimentId, experimentVersion: 1, batchId, position, versionCount: versions.length };
    await prisma.run.create({
      data: { ...run, input: `task ${position}`, messages: [{ role: 'user', content: `task ${position}` }] },
    });
    await prisma.reflectionVersion.createMany({
      data: versions.map(({ output, dropped }, number) => ({
        ...SPEND,
        runId,
        number,
        iteration: number,
        origin: 'revised',
        output: dropped ? '' : (output ?? `text ${position}.${number}`),
        outputDropped: dropped ?? false,
        finishReason: 'stop',
      })),
    });
    await prisma.evaluation.createMany({
      data: versions.map(({ score, by }, number) => ({
        ...SPEND,
        runId,
        ordinal: number,
        version: number,
        by: by ?? 'machine',
        status: score === null ? 'partial' : 'scored',
        overallScore: score,
        criteriaScores: {},
        reasons: {},
        satisfactory: false,
        issues: [],
        feedback: '',
        detail: '',
      })),
    });
  }
  const context = testContext(db.database());
  return {
    context,
    experimentId,
    runIds,
    pairs: async (actor: Actor = TESTER, limit = 50) =>
      unwrap(await findBlindPairs(context, actor, experimentId, limit)),
    say: (pair: string, choice: string, actor: Actor = TESTER) =>
      savePreference(context, actor, experimentId, { pair, choice, seconds: 2.5 }),
    agreement: () => findAgreement(db.database(), experimentId),
  };
}

const stored = (experimentId: string) =>
  db.database().prisma.preference.findMany({ where: { experimentId }, orderBy: { at: 'asc' } });

describe('findBlindPairs', () => {
  test('returns each pair once, with only the task and two texts of one run', async () => {
    const { pairs, runIds, experimentId } = await experimentOf([
      [{ score: 0.411 }, { score: 0.622 }, { score: 0.733 }],
      [{ score: 0.5 }, { score: 0.6 }],
    ]);
    const shown = await pairs();
    expect(shown).toMatchObject({ judged: 0, remaining: 4 });
    const texts = shown.items.map(({ left, right }) => [left, right].toSorted().join(' + '));
    expect(texts.toSorted()).toEqual([
      'text 0.0 + text 0.1',
      'text 0.0 + text 0.2',
      'text 0.1 + text 0.2',
      'text 1.0 + text 1.1',
    ]);
    for (const item of shown.items) {
      expect(Object.keys(item).toSorted()).toEqual(['left', 'messages', 'pair', 'right', 'task']);
      expect(item.task).toBe(`task ${item.left.charAt(5)}`);
      expect(item.messages).toEqual([{ role: 'user', content: item.task }]);
    }
    const sent = JSON.stringify(shown);
    for (const secret of [...runIds, experimentId, '0.411', '0.622', '0.733', 'revised'])
      expect(sent).not.toContain(secret);
    expect(await pairs()).toEqual(shown);
    expect((await pairs(TESTER, 2)).items).toEqual(shown.items.slice(0, 2));
    expect((await pairs(BEA)).items.map(({ pair }) => pair)).not.toContain(shown.items[0]?.pair);
  });

  test('excludes versions with a dropped or blank text or without a machine score', async () => {
    const { pairs } = await experimentOf([
      [{ score: 0.4 }, { score: 0.5, dropped: true }],
      [{ score: 0.4 }, { score: 0.5, output: ' \n ' }],
      [{ score: 0.4 }, { score: null }],
      [{ score: 0.4 }, { score: 0.5, by: 'person' }],
      [
        { score: 0.4, output: 'same' },
        { score: 0.5, output: 'same' },
      ],
      [{ score: 0.4 }],
    ]);
    expect(await pairs()).toEqual({ items: [], judged: 0, remaining: 0 });
  });

  test('ignores an override of the machine score', async () => {
    const { pairs, runIds } = await experimentOf([[{ score: 0.4 }, { score: 0.5 }]]);
    const before = await pairs();
    const [runId = ''] = runIds;
    const first = await db.database().prisma.evaluation.findFirstOrThrow({ where: { runId, version: 0 } });
    const { criteriaScores: _scores, reasons: _reasons, issues: _issues, proposed: _proposed, ...rest } = first;
    await db.database().prisma.evaluation.create({
      data: { ...rest, criteriaScores: {}, reasons: {}, issues: [], ordinal: 9, by: 'person', overallScore: 0.5 },
    });
    expect(await pairs()).toEqual(before);
  });

  test('returns not_found for an unknown experiment', async () => {
    const context = testContext(db.database());
    expect(await findBlindPairs(context, TESTER, randomUUID(), 5)).toMatchObject({
      ok: false,
      problem: { code: 'not_found' },
    });
    expect(await findAgreement(db.database(), randomUUID())).toBeNull();
  });
});

describe('blind judgment', () => {
  test('stores sides, reviewer, time and duration, and does not show the pair to them again', async () => {
    const { context, pairs, say, experimentId, runIds } = await experimentOf([
      [{ score: 0.4 }, { score: 0.5 }, { score: 0.6 }],
    ]);
    const { items } = await pairs();
    for (const { pair } of items) expect((await say(pair, 'left')).ok).toBe(true);
    expect(await pairs()).toEqual({ items: [], judged: 3, remaining: 0 });
    expect((await pairs(BEA)).items).toHaveLength(3);
    const rows = await stored(experimentId);
    const shown = rows.map(({ leftVersion, firstVersion, secondVersion }) => [
      `text 0.${leftVersion}`,
      `text 0.${leftVersion === firstVersion ? secondVersion : firstVersion}`,
    ]);
    expect(shown.toSorted()).toEqual(items.map(({ left, right }) => [left, right]).toSorted());
    for (const row of rows) {
      expect(row).toMatchObject({ runId: runIds[0], choice: 'left', actorId: 'tester', actor: 'Tester', seconds: 2.5 });
      expect(Math.abs(row.at.getTime() - context.now().getTime())).toBeLessThan(60_000);
    }
  });

  test('is final: a second judgment of the pair is refused, also concurrently', async () => {
    const { pairs, say, experimentId } = await experimentOf([[{ score: 0.4 }, { score: 0.5 }]]);
    const pair = (await pairs()).items[0]?.pair ?? '';
    const both = await Promise.all([say(pair, 'left'), say(pair, 'right')]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await say(pair, 'tie')).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'pair' } });
    expect(await stored(experimentId)).toHaveLength(1);
  });

  test.each<[string, object, { field: string; message: RegExp }]>([
    [
      'an invalid pair',
      { pair: 'x'.repeat(102), choice: 'left' },
      { field: 'pair', message: /not a pair that you were shown/ },
    ],
    ['a missing pair', { choice: 'left' }, { field: 'pair', message: /as it was shown/ }],
    ['an unknown choice', { pair: 'x', choice: 'both' }, { field: 'choice', message: /left, right, tie/ }],
    ['a negative duration', { pair: 'x', choice: 'tie', seconds: -1 }, { field: 'seconds', message: /0 to 86400/ }],
    ['an unknown field', { pair: 'x', choice: 'tie', version: 1 }, { field: 'version', message: /version/ }],
  ])('is refused: %s', async (_name, input, { field, message }) => {
    const { context, experimentId } = await experimentOf([[{ score: 0.4 }, { score: 0.5 }]]);
    expect(await savePreference(context, TESTER, experimentId, input)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field, message: expect.stringMatching(message) },
    });
    expect(await stored(experimentId)).toEqual([]);
  });

  test('is refused for a pair shown to another reviewer or in another experiment', async () => {
    const one = await experimentOf([[{ score: 0.4 }, { score: 0.5 }]]);
    const other = await experimentOf([[{ score: 0.4 }, { score: 0.5 }]]);
    const pair = (await one.pairs()).items[0]?.pair ?? '';
    const refused = { ok: false, problem: { code: 'invalid', field: 'pair' } };
    expect(await one.say(pair, 'left', BEA)).toMatchObject(refused);
    expect(await savePreference(one.context, TESTER, other.experimentId, { pair, choice: 'left' })).toMatchObject(
      refused,
    );
  });

  test('is refused for a deleted run, and earlier judgments of the run are deleted', async () => {
    const { context, pairs, say, runIds, agreement } = await experimentOf([
      [{ score: 0.4 }, { score: 0.5 }, { score: 0.6 }],
    ]);
    const [first, second] = (await pairs()).items;
    unwrap(await say(first?.pair ?? '', 'left'));
    expect(await agreement()).toMatchObject({ judgements: 1 });
    unwrap(await deleteRun(context, TESTER, runIds[0] ?? ''));
    expect(await say(second?.pair ?? '', 'left')).toMatchObject({ ok: false, problem: { code: 'not_found' } });
    expect(await agreement()).toMatchObject({ judgements: 0 });
  });
});

test('computes judge agreement: picks by side, ties and equal scores separate, reviewers counted individually', async () => {
  const { pairs, say, agreement } = await experimentOf([
    ...Array.from({ length: 12 }, () => [{ score: 0.4 }, { score: 0.7 }]),
    [{ score: 0.6 }, { score: 0.6 }],
  ]);
  expect(await agreement()).toMatchObject({ judgements: 0, interval: null });
  const { items } = await pairs();
  expect(items).toHaveLength(13);
  // The second version of each run scored higher. The tied pair comes last.
  const higher = ({ left }: { left: string }) => (left.endsWith('.1') ? 'left' : 'right');
  const lower = (item: { left: string }) => (higher(item) === 'left' ? 'right' : 'left');
  for (const [at, item] of items.entries())
    unwrap(await say(item.pair, at === 0 ? 'tie' : at < 3 ? lower(item) : higher(item)));
  expect(await agreement()).toMatchObject({
    judgements: 13,
    people: 1,
    pairs: 13,
    picks: 11,
    agreed: 9,
    ties: 1,
    equalScores: 1,
    unscored: 0,
    tooFewToTell: false,
  });
  const hers = (await pairs(BEA)).items[0];
  if (hers === undefined) throw new Error('no pair for her');
  unwrap(await say(hers.pair, higher(hers), BEA));
  expect(await agreement()).toMatchObject({
    judgements: 14,
    people: 2,
    pairs: 13,
    sharedPairs: 1,
    picks: 12,
    agreed: 10,
  });
});
