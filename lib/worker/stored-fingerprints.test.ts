import { describe, expect, test } from 'vitest';
import { findSavedResponse, saveResponse } from '#lib/models/saved-responses.ts';
import { storedFingerprint, storedForms } from '#lib/models/stored-fingerprint.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
import type { CallEntry } from '#lib/runs/call-schema.ts';
import { findCall } from '#lib/runs/calls.ts';
import { callKey, recordCalls, savedResponses } from '#lib/runs/journal.ts';
import { PRACTICE_WRITING, queuedRun, storedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import { fingerprintOf } from './recorded-call.ts';

const db = useTestDatabase();
const LONG = { one: 'a1'.repeat(32), two: 'b2'.repeat(32) };
const SPENT = { tokenUsage: { input: 1, output: 1, total: 2 }, costUsd: 0.5, latencyMs: 1, attempts: 1 };

const newRun = () =>
  queuedRun(testContext(db.database()), PRACTICE_WRITING, { input: 'Write a short note on the tide.' });

function callEntry(changes: Partial<CallEntry>): CallEntry {
  return {
    ...{ step: 0, ordinal: 0, fingerprint: LONG.one, role: 'turn', provider: 'p', model: 'm', instructions: '' },
    ...{ prompt: 'p', options: {}, text: 'a', finishReason: 'stop', failure: null, inputTokens: 1, outputTokens: 1 },
    ...{ costUsd: 0, latencyMs: 1, attempts: 1, warnings: [], createdAt: '2026-01-05T10:00:00.000Z' },
    ...changes,
  };
}

/** Stores the fingerprints of a run's calls in another form, as earlier versions did. */
async function storeAs(form: number, runId: string, fingerprints: readonly string[]): Promise<void> {
  for (const fingerprint of fingerprints)
    await db.database().pool.query(
      `UPDATE model_calls SET fingerprint = CASE fingerprint WHEN $2 THEN $3 ELSE fingerprint END,
           conversation = CASE conversation->>'after' WHEN $2 THEN jsonb_set(conversation, '{after}', to_jsonb($3::text)) ELSE conversation END
         WHERE run_id = $1`,
      [runId, storedFingerprint(fingerprint), storedForms(fingerprint)[form]],
    );
}

const storedLengths = async (runId: string) => {
  const calls = await db.database().prisma.modelCall.findMany({ where: { runId }, select: { fingerprint: true } });
  return [...new Set(calls.map(({ fingerprint }) => fingerprint.length))];
};

test('a stored fingerprint is a prefix of the SHA-256 and keeps its form', () => {
  expect(storedFingerprint('ff'.repeat(32))).toBe('_'.repeat(11));
  expect(storedForms(LONG.one).map(({ length }) => length)).toEqual([11, 22, 64]);
  expect(new Set(storedForms(LONG.one).map(storedFingerprint)).size).toBe(1);
  expect(storedFingerprint(`${LONG.one.slice(0, 14)}${LONG.two.slice(0, 50)}`)).not.toBe(storedFingerprint(LONG.one));
  expect(['', 'f'].map(storedFingerprint)).toEqual(['', 'f']);
});

describe.each([
  ['this version', 0],
  ['an earlier version', 1],
  ['a still earlier version', 2],
])('calls stored by %s', (_name, form) => {
  test('are not paid for again by the next worker', async () => {
    const runId = await newRun();
    const real = testWorkerContext(testContext(db.database()));
    const asked: ModelRequest[] = [];
    const call: ModelCaller = (request, options) => {
      asked.push(request);
      return real.call(request, options);
    };
    const died = performRun({ ...real, call, save: () => Promise.reject(new Error('died')) }, runId);
    await expect(died).rejects.toThrow('died');
    const paid = asked.map(fingerprintOf);
    expect(paid.length).toBeGreaterThan(0);
    expect(await storedLengths(runId)).toEqual([11]);
    await storeAs(form, runId, paid);
    await performRun({ ...real, call }, runId);
    expect(asked.slice(paid.length).map(fingerprintOf)).not.toEqual(expect.arrayContaining(paid));
    expect((await storedRun(db.database(), runId)).run.status).toBe('finished');
  });

  test('are found, and stored once if a write is repeated', async () => {
    const runId = await newRun();
    const owner = { runId, claim: null };
    await recordCalls(db.database(), owner, [callEntry({})]);
    await storeAs(form, runId, [LONG.one]);
    expect([...(await savedResponses(db.database(), runId, 0)).keys()]).toEqual([callKey(callEntry({}))]);
    await recordCalls(db.database(), { ...owner, again: true }, [callEntry({})]);
    expect(await db.database().prisma.modelCall.count({ where: { runId } })).toBe(1);
  });

  test('continue a conversation', async () => {
    const runId = await newRun();
    const part = (fingerprint: string, after: string | null, text: string) =>
      callEntry({
        fingerprint,
        conversation: { after, messages: [{ role: 'user', text }], tools: after === null ? [] : null },
      });
    await recordCalls(db.database(), { runId, claim: null }, [
      part(LONG.one, null, 'a'),
      part(LONG.two, LONG.one, 'b'),
    ]);
    await storeAs(form, runId, [LONG.one, LONG.two]);
    const last = await db.database().prisma.modelCall.findFirst({ where: { runId }, orderBy: { id: 'desc' } });
    const { conversation } = (await findCall(db.database(), runId, last?.id ?? 0)) ?? {};
    expect(conversation?.messages).toMatchObject([{ text: 'a' }, { text: 'b' }]);
  });

  test('are recognized as the calls that paid for a saved response', async () => {
    const runId = await newRun();
    const owner = { runId, step: 0 };
    const fingerprint = runId.replaceAll('-', '').repeat(2);
    const paid = { fingerprint, slot: 0, provider: 'p' };
    await saveResponse(
      db.database(),
      paid,
      owner,
      { text: 'a', finishReason: 'stop', warnings: [], ...SPENT },
      new Date(),
    );
    const isLost = async () =>
      (await findSavedResponse(db.database(), { ...paid, asCall: fingerprint }, owner))?.lost ?? null;
    expect(await isLost()).toBe(true);
    await recordCalls(db.database(), { runId, claim: null }, [callEntry({ fingerprint })]);
    await storeAs(form, runId, [fingerprint]);
    expect(await isLost()).toBe(false);
  });
});
