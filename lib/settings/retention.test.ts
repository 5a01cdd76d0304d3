import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Version } from '#lib/core/history.ts';
import { findCall } from '#lib/runs/calls.ts';
import { readEventLines } from '#lib/runs/event-lines.ts';
import { firstEventNumber, listRunEvents } from '#lib/runs/list-run-events.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { AUDIT_FAILURE, whileAuditFails } from '#lib/testing/failing-audit.test-support.ts';
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
import { purgeDaily, removeExpired } from '#lib/worker/start-background-tasks.ts';
import { countDue, purgeDue } from './purge.ts';
import { countPurged } from './purged-rows.ts';
import { getRetention, previewRetention, updateRetention } from './retention.ts';
import { NOTHING_PURGED, REMOVED_TEXT } from './schema.ts';

const db = useTestDatabase();
const DAY_MS = 86_400_000;
const EVERYTHING = { callTextDays: 30, runEventDays: 30, webhookDeliveryDays: 30, toolResultDays: 30 };
const never = new AbortController().signal;
/** Returns a context whose clock is ahead by this number of days. */
const contextIn = (days: number) => ({
  ...testContext(db.database()),
  now: () => new Date(Date.now() + days * DAY_MS),
});

let ended = '';
let waiting = '';
beforeAll(async () => {
  const context = testContext(db.database());
  ended = await queuedRun(context, PRACTICE_WRITING, { input: 'Explain our rate limits to a new user' });
  await performRun(testWorkerContext(context), ended);
  waiting = await queuedRun(
    context,
    { ...PRACTICE_SUMS, callbacks: { pause: 'always' } },
    { input: 'What is 11 + 21 × 6? Answer as Finish[number].', reference: '137' },
  );
  await performRun(testWorkerContext(context), waiting);
  for (const runId of [ended, waiting]) await addSideRows(runId);
});

/** Inserts rows that the mode of this run does not create. */
async function addSideRows(runId: string): Promise<void> {
  const { pool } = db.database();
  await pool.query(
    `INSERT INTO webhook_deliveries (id, webhook, run_id, pause_id, state, next_try_at, request_body, created_at)
     VALUES ($1, 'w', $2, $1, 'delivered', NULL, '{}', now()), ($3, 'w', $2, $3, 'waiting', now(), '{}', now())`,
    [randomUUID(), runId, randomUUID()],
  );
  await pool.query(
    `INSERT INTO tool_results (run_id, step, call_id, fingerprint, status, text, duration_ms, created_at) VALUES ($1, 1, '1', 'f', 'ok', 'result', 1, now())`,
    [runId],
  );
  await pool.query(
    `INSERT INTO agent_observations (run_id, version, call_id, tool, status, text, duration_ms, step, created_at) VALUES ($1, 0, '1', 't', 'ok', 'result', 1, 1, now())`,
    [runId],
  );
  await pool.query(
    `INSERT INTO case_tries (run_id, version, position, attempt, output, trace, finish_reason, status, criteria_scores, satisfactory, feedback, detail, paid_before, input_tokens, output_tokens, duration_ms, step, created_at)
     VALUES ($1, 0, 0, 0, 'output', 'trace', 'stop', 'partial', '{}', false, '', '', false, 0, 0, 0, 1, now())`,
    [runId],
  );
  await pool.query(
    `UPDATE reflection_versions SET target = '{"score":1,"feedback":"good","trace":"trace"}' WHERE run_id = $1 AND number = 0`,
    [runId],
  );
  await pool.query(
    `INSERT INTO paid_replies (fingerprint, slot, run_id, text, finish_reason, input_tokens, output_tokens, latency_ms, created_at) VALUES ($1, 0, $2, 'reply', 'stop', 1, 1, 1, now())`,
    [runId, runId],
  );
  // Simulates events stored by earlier versions, and events moved out of the row of the run.
  const { eventLines } = await db.database().prisma.run.findUniqueOrThrow({ where: { id: runId } });
  const [first = '', second = '', ...others] = eventLines.match(/.*\n/g) ?? [];
  const [earliest, ...later] = readEventLines(first);
  await pool.query('INSERT INTO run_events (run_id, number, type, data, at) VALUES ($1, $2, $3, $4, $5)', [
    ...[runId, earliest?.number, earliest?.type, earliest?.data, earliest?.at],
  ]);
  const earlier = later.map(({ number, type, data, at }) => JSON.stringify([number, type, data, at.getTime()]));
  const lastNumber = readEventLines(second).at(-1)?.number;
  if (lastNumber !== undefined)
    await pool.query('INSERT INTO run_event_pages (run_id, last_number, lines) VALUES ($1, $2, $3)', [
      ...[runId, lastNumber, second],
    ]);
  await pool.query('UPDATE runs SET events = $2, event_lines = $3 WHERE id = $1', [runId, earlier, others.join('')]);
}

async function counts(runId: string) {
  const { rows } = await db.database().pool.query(
    `SELECT (SELECT count(*)::int FROM model_calls WHERE run_id = $1 AND prompt <> $2) AS "callTexts",
       (SELECT count(*)::int FROM paid_replies WHERE run_id = $1) AS "paidReplies",
       (SELECT count(*)::int FROM run_events WHERE run_id = $1) + (SELECT count(*)::int FROM run_event_pages WHERE run_id = $1)
         + (SELECT count(*)::int FROM runs WHERE id = $1 AND (event_lines <> '' OR events <> '{}')) AS "runEvents",
       (SELECT count(*)::int FROM webhook_deliveries WHERE run_id = $1 AND next_try_at IS NULL) AS "webhookDeliveries",
       (SELECT count(*)::int FROM tool_results WHERE run_id = $1) + (SELECT count(*)::int FROM agent_observations WHERE run_id = $1 AND text <> $2)
         + (SELECT count(*)::int FROM case_tries WHERE run_id = $1 AND trace IS NOT NULL)
         + (SELECT count(*)::int FROM reflection_versions WHERE run_id = $1 AND target->>'trace' <> '') AS "toolResults"`,
    [runId, REMOVED_TEXT],
  );
  return rows[0];
}

describe('retention', () => {
  test('keeps everything by default', async () => {
    expect(await getRetention(contextIn(5000))).toMatchObject({
      callTextDays: null,
      due: NOTHING_PURGED,
      lastPurge: null,
    });
    expect(await purgeDaily(contextIn(5000), never)).toBe(false);
  });

  test('deletes all unused files even without a retention setting', async () => {
    const { prisma } = db.database();
    const createdAt = new Date();
    const file = { mediaType: 'text/plain', size: 1, bytes: Buffer.from('a'), createdAt, usedAt: createdAt };
    await prisma.storedFile.createMany({
      data: Array.from({ length: 120 }, (_, index) => ({ ...file, sha256: `${index}`.padStart(64, '0') })),
    });
    await removeExpired(contextIn(0.9), never);
    expect(await prisma.storedFile.count()).toBe(120);
    await removeExpired(contextIn(1.1), never);
    expect(await prisma.storedFile.count()).toBe(0);
  });

  test.each([
    [{ callTextDays: 0 }, 'callTextDays'],
    [{ runEventDays: 3651 }, 'runEventDays'],
    [{ toolResultDays: 1.5 }, 'toolResultDays'],
    [{ webhookDeliveryDays: '7' }, 'webhookDeliveryDays'],
  ])('rejects %j', async (input, field) => {
    expect(await updateRetention(contextIn(0), TESTER, { ...EVERYTHING, ...input })).toMatchObject({
      ok: false,
      problem: { field },
    });
  });

  test.each(Object.keys(EVERYTHING))('rejects a missing value instead of reading it as null: %s', async (field) => {
    const { [field]: _left, ...rest } = Object.fromEntries(Object.entries(EVERYTHING));
    expect(await updateRetention(contextIn(0), TESTER, rest)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field, message: expect.stringContaining('or null (kept forever), got nothing') },
    });
    expect(await getRetention(contextIn(0))).toMatchObject({ updatedBy: null });
  });

  test.each([
    ['one kind of data', { runEventDays: 30 }, ['runEvents']],
    ['texts of calls with their stored responses', { callTextDays: 30 }, ['callTexts', 'paidReplies']],
    ['tool results', { toolResultDays: 30 }, ['toolResults']],
    ['webhook deliveries', { webhookDeliveryDays: 30 }, ['webhookDeliveries']],
  ])('previews the rows to purge: %s', async (_name, input, kinds) => {
    const due = unwrap(await previewRetention(contextIn(31), input));
    expect(Object.entries(due).flatMap(([kind, rows]) => (rows > 0 ? [kind] : []))).toEqual(kinds);
    expect(countPurged(unwrap(await previewRetention(contextIn(29), input)))).toBe(0);
  });

  test('keeps the fields of two owners who each save one', async () => {
    await updateRetention(contextIn(0), TESTER, EVERYTHING);
    const changes = [{ callTextDays: 31 }, { runEventDays: 60 }, { toolResultDays: 90 }];
    for (const changed of await Promise.all(
      changes.map((change) => updateRetention(contextIn(0), TESTER, change, { isPartial: true })),
    ))
      unwrap(changed);
    expect(await getRetention(contextIn(0))).toMatchObject({
      ...EVERYTHING,
      ...{ callTextDays: 31, runEventDays: 60, toolResultDays: 90 },
    });
  });

  test('counts due rows up to a limit per kind', async () => {
    await updateRetention(contextIn(0), TESTER, EVERYTHING);
    const all = unwrap(await previewRetention(contextIn(31), EVERYTHING));
    const few = await countDue(db.database(), EVERYTHING, contextIn(31).now(), 1);
    expect(all.runEvents).toBe(3);
    expect(few).toMatchObject({ callTexts: Math.min(all.callTexts, 1), runEvents: 3 });
  });

  test('purges the previewed rows of ended runs once a day and leaves the rest unchanged', async () => {
    const before = await loadRun(db.database(), ended);
    const untouched = await counts(waiting);
    await updateRetention(contextIn(0), TESTER, EVERYTHING);
    const countsBefore = await counts(ended);
    expect((await getRetention(contextIn(31))).due).toEqual(countsBefore);

    expect(await purgeDaily(contextIn(31), never)).toBe(true);
    expect(await getRetention(contextIn(31))).toMatchObject({
      due: NOTHING_PURGED,
      lastPurge: { by: 'Hone', purged: countsBefore },
    });
    expect(await purgeDaily(contextIn(31.9), never)).toBe(false);
    expect(await purgeDaily(contextIn(32.1), never)).toBe(true);
    expect(await counts(ended)).toEqual(NOTHING_PURGED);
    expect(await counts(waiting)).toEqual(untouched);

    const after = await loadRun(db.database(), ended);
    const withoutTrace = (version: Version) =>
      version.target ? { ...version, target: { ...version.target, trace: '' } } : version;
    expect(after?.history.versions).toEqual(before?.history.versions.map(withoutTrace));
    expect(after?.history.evaluations).toEqual(before?.history.evaluations);
    expect(after?.run).toEqual(before?.run);
    const { rows } = await db.database().pool.query('SELECT id FROM model_calls WHERE run_id = $1 LIMIT 1', [ended]);
    expect(await findCall(db.database(), ended, rows[0]?.id)).toMatchObject({ prompt: REMOVED_TEXT });
    const audit = await db.database().pool.query("SELECT actor, change FROM audit_entries WHERE act = 'purged'");
    expect(audit.rows).toEqual([{ actor: 'Hone', change: countsBefore }]);
  });

  test('the first event number of a purged run follows its purged events', async () => {
    const all = await listRunEvents(db.database(), waiting, 0, 1000);
    expect(await firstEventNumber(db.database(), waiting)).toBe(1);
    expect(all[0]?.number).toBe(1);
    const run = await loadRun(db.database(), ended);
    expect(await firstEventNumber(db.database(), ended)).toBe((run?.run.eventNumber ?? 0) + 1);
  });

  test('is run by one process at a time', async () => {
    const client = await db.database().pool.connect();
    await client.query('SELECT pg_advisory_lock(72707371)');
    const refused = await purgeDue(contextIn(40), TESTER);
    await client.query('SELECT pg_advisory_unlock(72707371)');
    client.release();
    expect(refused).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(await purgeDue(contextIn(40), TESTER)).toMatchObject({ ok: true });
  });

  test('an interrupted purge is recorded in the audit log later, under its requester', async () => {
    const { pool } = db.database();
    const entries = async () =>
      (await pool.query("SELECT actor, via, change FROM audit_entries WHERE act = 'purged' ORDER BY id")).rows;
    const before = await entries();
    await pool.query(
      `INSERT INTO tool_results (run_id, step, call_id, fingerprint, status, text, duration_ms, created_at) VALUES ($1, 1, 'later', 'f', 'ok', 'result', 1, now())`,
      [ended],
    );
    await whileAuditFails(db.database(), () => expect(purgeDue(contextIn(40), TESTER)).rejects.toThrow(AUDIT_FAILURE));
    expect(await counts(ended)).toEqual(NOTHING_PURGED);
    expect(await entries()).toEqual(before);
    const entry = { actor: 'Tester', via: 'person', change: { ...NOTHING_PURGED, toolResults: 1 } };
    for (const _look of [1, 2]) {
      expect(await purgeDaily(contextIn(40), never)).toBe(false);
      expect(await entries()).toEqual([...before, entry]);
    }
  });
});
