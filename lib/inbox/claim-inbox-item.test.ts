import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { decide } from '#lib/runs/decide.ts';
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
import { claimInboxItem as claimByInput } from './assign.ts';
import { claimInboxItem, type Inbox, type InboxFilter, listInbox, releaseInboxItem } from './queries.ts';

const db = useTestDatabase();
const PAUSED: ExperimentSettingsInput = { ...PRACTICE_WRITING, callbacks: { pause: 'always' } };
const HUMAN: ExperimentSettingsInput = { ...PRACTICE_WRITING, criteria: [{ name: 'taste', evaluator: 'human' }] };
const ASKED: ExperimentSettingsInput = {
  ...PRACTICE_SUMS,
  generator: {
    ...PRACTICE_SUMS.generator,
    base: { type: 'react', tools: ['calculator'], approve: ['calculator'] },
  },
};
const ESCALATED: ExperimentSettingsInput = { ...PRACTICE_SUMS, maxAttempts: 1, callbacks: { escalate: true } };

/** Creates a paused run; `minute` is the start of its pause. */
async function waiting(settings = PAUSED, minute = 0): Promise<string> {
  const context = { ...testContext(db.database()), now: () => at(minute) };
  const runId = await queuedRun(context, settings, { input: 'What is 17 * 23?', reference: 'never this' });
  await performRun(testWorkerContext(context), runId);
  return runId;
}

function at(minute: number): Date {
  return new Date(Date.UTC(2026, 10, 22, 6, 0, 0) + minute * 60_000);
}

/** Creates a person with one window; `on` claims a run and returns its holder, `off` releases the claim. */
function person(actorId: string, windowId = randomUUID()) {
  const holder = { actorId, actorName: actorId, windowId };
  return {
    holder,
    on: (runId: string, minute: number) => claimInboxItem(db.database(), runId, holder, at(minute)),
    off: (runId: string) => releaseInboxItem(db.database(), runId, holder),
    sees: async (minute: number, filter: Partial<InboxFilter> = {}) =>
      listInbox(db.database(), { scope: 'all', cursor: null, limit: 200, ...filter }, holder, at(minute)),
  };
}

async function claimSeenBy(who: ReturnType<typeof person>, runId: string, minute: number) {
  return (await who.sees(minute)).items.find(({ id }) => id === runId)?.claim;
}

describe('inbox claim', () => {
  test('belongs to the first person; a second one sees the holder and gets the claim after release', async () => {
    const runId = await waiting();
    const [ada, bob] = [person('Ada'), person('Bob')];
    expect(await ada.on(runId, 0)).toEqual({ who: 'you', name: 'Ada', since: at(0).toISOString() });
    const seen = { who: 'another_person', name: 'Ada', since: at(0).toISOString() };
    expect(await bob.on(runId, 1)).toEqual(seen);
    expect(await claimSeenBy(bob, runId, 1)).toEqual(seen);
    expect(await ada.on(runId, 1.5)).toMatchObject({ who: 'you' });
    expect(await ada.off(runId)).toBe(true);
    expect(await ada.off(runId)).toBe(false);
    expect(await bob.on(runId, 2)).toEqual({ who: 'you', name: 'Bob', since: at(1).toISOString() });
    expect(await claimSeenBy(ada, runId, 2)).toMatchObject({ who: 'another_person', name: 'Bob' });
  });

  test('shows a claim of the same person in another window', async () => {
    const runId = await waiting();
    const [here, there] = [person('local'), person('local')];
    await here.on(runId, 0);
    expect(await there.on(runId, 1)).toMatchObject({ who: 'another_window' });
    expect(await claimSeenBy(there, runId, 1)).toMatchObject({ who: 'another_window' });
    expect(await claimSeenBy(here, runId, 1)).toMatchObject({ who: 'you' });
  });

  test('expires two minutes after its last renewal and can then be taken again', async () => {
    const runId = await waiting();
    const [ada, bob] = [person('Ada'), person('Bob')];
    await ada.on(runId, 0);
    await ada.on(runId, 1.5);
    expect(await claimSeenBy(bob, runId, 3.4)).toMatchObject({ name: 'Ada', since: at(0).toISOString() });
    expect(await claimSeenBy(bob, runId, 3.5)).toBeNull();
    expect(await bob.on(runId, 3.6)).toMatchObject({ who: 'you' });
    expect(await ada.on(runId, 3.7)).toMatchObject({ who: 'another_person', name: 'Bob' });
    expect(await ada.on(runId, 5.65)).toEqual({ who: 'you', name: 'Ada', since: at(3.7).toISOString() });
  });

  test("releases the person's previous claim", async () => {
    const [first, second] = [await waiting(), await waiting()];
    const [ada, bob] = [person('Ada'), person('Bob')];
    await ada.on(first, 0);
    await ada.on(second, 1);
    expect(await claimSeenBy(bob, first, 1)).toBeNull();
    expect(await claimSeenBy(bob, second, 1)).toMatchObject({ name: 'Ada', since: at(1).toISOString() });
    expect(await ada.off(first)).toBe(false);
  });

  test('does not block decisions of others and is impossible for a run that is not paused', async () => {
    const runId = await waiting();
    const [ada, bob] = [person('Ada'), person('Bob')];
    await ada.on(runId, 0);
    const pauseId = (await bob.sees(0)).items.find(({ id }) => id === runId)?.pauseId;
    unwrap(await decide(testContext(db.database()), TESTER, runId, { decision: 'accept', pauseId }));
    expect(await bob.on(runId, 0.1)).toBeNull();
    expect((await bob.sees(0.1)).items.map(({ id }) => id)).not.toContain(runId);
  });

  test('goes to exactly one of many concurrent people', async () => {
    const runId = await waiting();
    const people = Array.from({ length: 20 }, (_, index) => person(`person ${index}`));
    await Promise.all(people.map((one) => one.on(runId, 0)));
    const seen = await Promise.all(people.map((one) => one.on(runId, 0.5)));
    expect(seen.filter((claim) => claim?.who === 'you')).toHaveLength(1);
    expect(new Set(seen.map((claim) => claim?.name)).size).toBe(1);
  });

  test('is deleted after a day by the next claim', async () => {
    const runId = await waiting();
    const [ada, bob] = [person('Ada'), person('Bob')];
    await ada.on(runId, 0);
    await bob.on(runId, 25 * 60);
    const { rows } = await db.database().pool.query('SELECT window_id FROM inbox_claims WHERE run_id = $1', [runId]);
    expect(rows).toEqual([{ window_id: bob.holder.windowId }]);
  });

  test.each([
    [{}, /window must be the id/],
    [{ window: 'mine' }, /window must be the id/],
    [{ window: randomUUID(), minutes: 5 }, /minutes/],
  ])('requires a valid window id: %j', async (input, message) => {
    const refused = await claimByInput(testContext(db.database()), TESTER, randomUUID(), input);
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', message: expect.stringMatching(message) } });
  });
});

describe('inbox', () => {
  test('lists paused runs with the requested decision, longest wait first', async () => {
    const asked = await waiting(HUMAN, 20);
    const unsolved = await waiting(ESCALATED, 10);
    const paused = await waiting(PAUSED, 30);
    const { items } = await person('Ada').sees(40);
    const mine = items.filter(({ id }) => [asked, unsolved, paused].includes(id));
    expect(mine.map(({ id, kind }) => [id, kind])).toEqual([
      [unsolved, 'escalated'],
      [asked, 'score'],
      [paused, 'verdict'],
    ]);
    expect(mine[0]).toMatchObject({ mode: 'retry', wouldStopAs: 'max_iterations', versionCount: 1, version: 0 });
    expect(mine[1]).toMatchObject({ asks: ['taste'], scores: [null], since: at(20).toISOString() });
    expect(mine[2]).toMatchObject({ asks: [], experimentName: 'test', input: 'What is 17 * 23?', claim: null });
  });

  test('shows the requested tool call with truncated arguments', async () => {
    const runId = await waiting(ASKED, 400);
    const { items } = await person('Ada').sees(500, { kind: 'tool' });
    expect(items).toMatchObject([
      { id: runId, kind: 'tool', hook: 'onToolCall', version: 0, versionCount: 0, toolCall: { tool: 'calculator' } },
    ]);
    const pause = { path: '{toolCall,arguments}', value: JSON.stringify('x'.repeat(5_000)) };
    await db
      .database()
      .pool.query('UPDATE runs SET pause = jsonb_set(pause, $2::text[], $3::jsonb) WHERE id = $1', [
        runId,
        pause.path,
        pause.value,
      ]);
    const [long] = (await person('Ada').sees(500, { kind: 'tool' })).items;
    expect(long?.toolCall?.arguments).toHaveLength(200);
  });

  test('filters by experiment, kind, unclaimed items and the items of a user', async () => {
    const [one, two] = [await waiting(PAUSED, 50), await waiting(HUMAN, 51)];
    const [ada, bob] = [person('Ada'), person('Bob')];
    await ada.on(one, 60);
    await bob.on(two, 60);
    const all = await ada.sees(60);
    const experimentId = all.items.find(({ id }) => id === one)?.experimentId ?? null;
    const ids = async (filter: Partial<InboxFilter>) => (await ada.sees(60, filter)).items.map(({ id }) => id);
    expect(await ids({ experimentId })).toEqual([one]);
    expect(await ids({ kind: 'score' })).toContain(two);
    expect(await ids({ kind: 'score' })).not.toContain(one);
    expect(await ids({ scope: 'mine' })).toEqual([one]);
    expect(await ids({ scope: 'free' })).toContain(one);
    expect(await ids({ scope: 'free' })).not.toContain(two);
    expect(all.groups.filter((group) => group.experimentId === experimentId)).toEqual([
      { experimentId, experimentName: 'test', kind: 'verdict', whose: 'mine', count: 1 },
    ]);
    expect(all.groups.reduce((sum, { count }) => sum + count, 0)).toBe(all.items.length);
  });

  test('pages 500 items in order, each once', async () => {
    const runId = await waiting(PAUSED, 70);
    await db.database().pool.query(
      `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, status, pause, pause_id)
       SELECT gen_random_uuid(), experiment_id, experiment_version, batch_id, place, input, status,
         jsonb_set(pause, '{since}', to_jsonb('2026-11-22T08:' || lpad((place % 60)::text, 2, '0') || ':00.000Z')), gen_random_uuid()
       FROM runs, generate_series(1, 499) place WHERE id = $1`,
      [runId],
    );
    const ada = person('Ada');
    const experimentId = (await ada.sees(80)).items.find(({ id }) => id === runId)?.experimentId ?? null;
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Inbox = await ada.sees(80, { experimentId, cursor });
      seen.push(...page.items.map(({ since, number }) => `${since} ${String(number).padStart(9, '0')}`));
      sizes.push(page.items.length);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(sizes).toEqual([200, 200, 100]);
    expect(new Set(seen).size).toBe(500);
    expect(seen).toEqual(seen.toSorted());
  });
});
