import { describe, expect, test } from 'vitest';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { listInbox } from '#lib/inbox/queries.ts';
import { providerResolver } from '#lib/models/resolve-provider.ts';
import { createModelCaller } from '#lib/providers/call/create-model-caller.ts';
import type { ModelCaller, ModelRequest } from '#lib/providers/call/model-caller.ts';
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
import { findBatch } from './batches.ts';
import { decide } from './decide.ts';
import { expirePauses } from './expire-pauses.ts';
import { listRuns } from './list-runs.ts';
import { findRun } from './queries.ts';

const db = useTestDatabase();
const LOOKS: ExperimentSettingsInput = {
  ...PRACTICE_WRITING,
  callbacks: { review: { drafts: true, revisions: true } },
  convergence: null,
  maxIterations: 2,
};
const EASY = { qualityThreshold: 0, criteria: [{ name: 'clarity', threshold: 0, evaluator: 'llm' as const }] };
const TASK = { input: 'Explain how to verify a webhook and handle retries.' };

/** Starts a run that waits for review of its first draft. `go` performs it once more and returns its record. */
async function waiting(
  settings = LOOKS,
  changes: Partial<AppContext> = {},
  task: { input: string; reference?: string } = TASK,
) {
  const context = { ...testContext(db.database()), ...changes };
  const real = createModelCaller({ addresses: context.addresses, resolveProvider: providerResolver(context) });
  const asked: ModelRequest[] = [];
  const call: ModelCaller = (request, options) => {
    asked.push(request);
    return real(request, options);
  };
  const runId = await queuedRun(context, settings, task);
  const record = async () => {
    const found = await findRun(db.database(), runId);
    if (found === null) throw new Error('no run');
    return found.record;
  };
  const go = async () => {
    await performRun(testWorkerContext(context, call), runId);
    return record();
  };
  const say = async (input: object) =>
    decide(context, TESTER, runId, { pauseId: (await record()).waitingFor?.pauseId, ...input });
  const roles = () => asked.map(({ role }) => role);
  return { context, runId, record: await go(), now: record, go, say, asked, roles };
}

describe('a version that waits for review before scoring', () => {
  test('is generated but not judged, and appears in the inbox', async () => {
    const { record, runId, roles } = await waiting();
    expect(record).toMatchObject({
      status: 'waiting',
      waitingFor: { hook: 'onGeneration', version: 0, wouldStopAs: null, asks: [] },
      versions: [{ evaluations: [] }],
    });
    expect(roles()).toEqual(['generate']);
    const holder = { windowId: '00000000-0000-4000-8000-000000000001', actorId: 'tester', actorName: 'Tester' };
    const { items } = await listInbox(db.database(), { scope: 'all', cursor: null, limit: 100 }, holder, new Date());
    expect(items.find(({ id }) => id === runId)).toMatchObject({
      kind: 'verdict',
      hook: 'onGeneration',
      version: 0,
      wouldStopAs: null,
      scores: [],
    });
  });

  test('is judged after continue, and the next revision waits for review too', async () => {
    const { go, say, roles } = await waiting();
    const { decision } = unwrap(await say({ decision: 'continue', reason: 'Reads well.' }));
    expect(decision).toMatchObject({
      hook: 'onGeneration',
      decision: 'continue',
      by: 'person',
      seen: { versions: 1, evaluations: 0, score: null, wouldStopAs: null },
    });
    const record = await go();
    expect(record).toMatchObject({
      waitingFor: { hook: 'onRevision', version: 1 },
      versions: [{ evaluations: [{ status: 'scored' }] }, { evaluations: [], parents: [0] }],
    });
    expect(roles()).toEqual(['generate', 'evaluate', 'reflect', 'revise']);
  });

  test('is revised with the guidance in the prompt, without judgement or critique', async () => {
    const { go, say, asked, roles } = await waiting();
    unwrap(await say({ decision: 'revise', guidance: 'Name a number of hours.' }));
    const record = await go();
    expect(roles()).toEqual(['generate', 'revise']);
    expect(asked[1]?.prompt).toContain('<guidance>\n- Name a number of hours.\n</guidance>');
    expect(record).toMatchObject({
      waitingFor: { hook: 'onRevision', version: 1 },
      versions: [{ evaluations: [], critiques: [] }, { improvementsApplied: ['Name a number of hours.'] }],
    });
  });

  test('stays unscored in every list and does not count as solved', async () => {
    const { go, say, runId } = await waiting({ ...LOOKS, ...EASY });
    unwrap(await say({ decision: 'revise', guidance: 'Be brief.' }));
    await go();
    unwrap(await say({ decision: 'auto' }));
    const record = await go();
    expect(record).toMatchObject({
      status: 'finished',
      convergenceReason: 'quality_met',
      bestVersion: 1,
      finalVersion: 1,
    });
    const { items } = await listRuns(db.database(), { batchId: record.batchId, cursor: null, limit: 10 });
    expect(items).toMatchObject([{ id: runId, firstScore: null, scores: [null, expect.any(Number)], endedBy: null }]);
    const batch = await findBatch(db.database(), record.batchId);
    expect(batch?.report).toMatchObject({ solvedByIteration: [0, 1], currentByIteration: [0, 1], firstScore: null });
  });

  test('can be accepted unscored', async () => {
    const { say, now, runId } = await waiting();
    unwrap(await say({ decision: 'accept' }));
    const record = await now();
    expect(record).toMatchObject({
      status: 'finished',
      convergenceReason: 'user_accepted',
      success: true,
      // An unscored version cannot be the best, so the run returns the accepted one.
      bestByRule: { highest_score: null, latest: null },
      bestVersion: null,
      finalVersion: 0,
      finalOutput: record.versions[0]?.output,
    });
    const { items } = await listRuns(db.database(), { batchId: record.batchId, cursor: null, limit: 10 });
    expect(items).toMatchObject([
      { id: runId, firstScore: null, bestScore: null, scores: [], endedBy: { by: 'person', actor: 'Tester' } },
    ]);
  });

  test('can be merged: only the merged version is judged, then the run pauses again', async () => {
    const { go, say } = await waiting({ ...LOOKS, callbacks: { review: { revisions: true } } });
    unwrap(await say({ decision: 'merge', parents: [0, 1], output: 'Half of each.' }));
    const record = await go();
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { hook: 'onReflection', version: 2 } });
    expect(record.versions).toMatchObject([
      { evaluations: [{}] },
      { evaluations: [] },
      { origin: 'merged', parents: [0, 1], evaluations: [{ by: 'machine', status: 'scored' }] },
    ]);
  });

  test.each<[string, object, RegExp]>([
    ['an override of its missing score', { decision: 'override', score: 1 }, /was not evaluated yet/],
    ['a restored score', { decision: 'restore' }, /is not overridden/],
    ['a human score', { decision: 'score', score: 1 }, /waits for a review before it is scored/],
    ['an edit with the same text', { decision: 'revert', version: 0 }, /is the last one already/],
  ])('cannot get %s', async (_name, input, message) => {
    const { say, now, record } = await waiting();
    const refused = await say(input);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringMatching(message) } });
    expect(await now()).toEqual(record);
  });

  test("allows an override of another version's score and keeps waiting", async () => {
    const { say, now } = await waiting({ ...LOOKS, callbacks: { review: { revisions: true } } });
    unwrap(await say({ decision: 'override', version: 0, score: 0.99 }));
    const record = await now();
    expect(record).toMatchObject({ status: 'waiting', waitingFor: { hook: 'onRevision', wouldStopAs: null } });
    expect(record.versions[0]?.evaluations).toHaveLength(2);
  });

  test('in retry mode, is attempted again with the guidance and without a lesson', async () => {
    const settings = { ...PRACTICE_SUMS, callbacks: { review: { drafts: true } } };
    const task = { input: 'What is 17 * 23?', reference: '391' };
    const { go, say, asked, roles } = await waiting(settings, {}, task);
    unwrap(await say({ decision: 'revise', guidance: 'Mind the units.' }));
    const record = await go();
    expect(roles()).toEqual(['generate', 'generate']);
    expect(asked[1]?.prompt).toContain('Mind the units.');
    expect(record).toMatchObject({ waitingFor: { hook: 'onGeneration', version: 1 }, lessons: [], iterationsUsed: 2 });
  });
});

describe('review timeout', () => {
  test.each([
    ['auto', { status: 'waiting', waitingFor: { hook: 'onRevision', version: 1 } }],
    ['stop', { status: 'stopped', convergenceReason: 'user_stopped', finalVersion: 0 }],
  ] as const)('%s', async (onTimeout, expected) => {
    let now = new Date();
    const callbacks = { review: { drafts: true, revisions: true }, timeoutSeconds: 60, onTimeout };
    const { context, go } = await waiting({ ...LOOKS, callbacks }, { now: () => now });
    now = new Date(now.getTime() + 61_000);
    expect(await expirePauses(context)).toBe(1);
    const record = await go();
    expect(record).toMatchObject(expected);
    expect(record.decisions[0]).toMatchObject({ hook: 'onGeneration', decision: onTimeout, by: 'timeout' });
  });
});
