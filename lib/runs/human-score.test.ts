import { describe, expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  TESTER,
  testContext,
  testWorkerContext,
  unwrap,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { decide } from './decide.ts';
import { listModelCalls } from './list-model-calls.test-support.ts';
import { listRuns } from './list-runs.ts';
import { countWaitingRuns, findRun } from './queries.ts';

const db = useTestDatabase();
const QUESTION = 'Would you send this to a customer?';
const WITH_PEOPLE: ExperimentSettingsInput = {
  ...PRACTICE_WRITING,
  criteria: [
    { name: 'clarity', evaluator: 'llm', threshold: 0 },
    { name: 'taste', evaluator: 'human', threshold: 0.5, config: { question: QUESTION } },
    { name: 'fit', evaluator: 'human', threshold: 0.5 },
  ],
  qualityThreshold: 0.5,
};

async function stored(runId: string) {
  const found = await findRun(db.database(), runId);
  if (found === null) throw new Error('no run');
  return found.record;
}

/** Starts a run that waits for human scores of its first version. */
async function waiting(settings = WITH_PEOPLE, reference?: string) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, {
    input: 'Explain tides.',
    ...(reference === undefined ? {} : { reference }),
  });
  await performRun(testWorkerContext(context), runId);
  const record = await stored(runId);
  return { context, runId, record, pauseId: record.waitingFor?.pauseId ?? '' };
}

describe('a run with human criteria', () => {
  test('waits for human scores after the machine scores, and appears in the list of waiting runs', async () => {
    const before = await countWaitingRuns(db.database());
    const { runId, record } = await waiting();
    expect(record).toMatchObject({
      status: 'waiting',
      waitingFor: {
        version: 0,
        wouldStopAs: null,
        asks: [
          { criterion: 'taste', question: QUESTION },
          { criterion: 'fit', question: null },
        ],
      },
    });
    const [evaluation] = record.versions[0]?.evaluations ?? [];
    expect(evaluation).toMatchObject({ by: 'machine', status: 'partial', overallScore: null, satisfactory: false });
    expect(evaluation?.criteriaScores).toEqual({ clarity: expect.any(Number), taste: null, fit: null });
    expect(await countWaitingRuns(db.database())).toBe(before + 1);
    const [row] = (await listRuns(db.database(), { status: 'waiting', cursor: null, limit: 1 })).items;
    expect(row).toMatchObject({ id: runId, imported: false, firstScore: null, bestScore: null, scores: [null] });
  });

  test('continues after the last score and records the actor, time and reason of each', async () => {
    const { context, runId, pauseId } = await waiting();
    const callsBefore = (await listModelCalls(db.database(), runId)).length;
    unwrap(
      await decide(context, TESTER, runId, {
        decision: 'score',
        pauseId,
        criterion: 'taste',
        score: 0.9,
        reason: 'Warm.',
      }),
    );
    const between = await stored(runId);
    expect(between).toMatchObject({ status: 'waiting', waitingFor: { pauseId, asks: [{ criterion: 'fit' }] } });
    expect(between.versions[0]?.evaluations.at(-1)).toMatchObject({
      status: 'partial',
      overallScore: null,
      criteriaScores: { taste: 0.9, fit: null },
    });
    context.sent.length = 0;
    unwrap(await decide(context, { ...TESTER, name: 'Bea' }, runId, { decision: 'score', pauseId, score: 0.8 }));
    const after = await stored(runId);
    const clarity = after.versions[0]?.evaluations[0]?.criteriaScores.clarity ?? 0;
    expect(after.versions[0]?.evaluations.at(-1)).toMatchObject({
      by: 'person',
      actor: 'Bea',
      status: 'scored',
      criteriaScores: { clarity, taste: 0.9, fit: 0.8 },
      reasons: { taste: 'Warm.', fit: 'Scored by Bea.' },
      costUsd: 0,
    });
    expect(after.versions[0]?.evaluations.at(-1)?.overallScore).toBeCloseTo((clarity + 0.9 + 0.8) / 3, 5);
    expect(after.decisions).toMatchObject([
      {
        decision: 'score',
        by: 'person',
        actor: 'Tester',
        criterion: 'taste',
        score: 0.9,
        reason: 'Warm.',
        pauseId,
        version: 0,
      },
      { decision: 'score', actor: 'Bea', criterion: 'fit', score: 0.8, pauseId },
    ]);
    expect(after).toMatchObject({
      status: 'finished',
      convergenceReason: 'quality_met',
      bestVersion: 0,
      waitingFor: null,
    });
    expect(await listModelCalls(db.database(), runId)).toHaveLength(callsBefore);
  });

  test('revises after low scores, passes the reason to the models, and requests scores for the next version', async () => {
    const { context, runId, pauseId } = await waiting();
    unwrap(
      await decide(context, TESTER, runId, {
        decision: 'score',
        pauseId,
        criterion: 'taste',
        score: 0.1,
        reason: 'Too stiff for our readers.',
      }),
    );
    unwrap(await decide(context, TESTER, runId, { decision: 'score', pauseId, criterion: 'fit', score: 0 }));
    expect((await stored(runId)).status).toBe('queued');
    expect(context.sent).toContain(runId);
    await performRun(testWorkerContext(context), runId);
    const record = await stored(runId);
    expect(record).toMatchObject({
      status: 'waiting',
      waitingFor: { version: 1, asks: [{ criterion: 'taste' }, { criterion: 'fit' }] },
    });
    expect(record.waitingFor?.pauseId).not.toBe(pauseId);
    const critique = (await listModelCalls(db.database(), runId)).find(({ role }) => role === 'reflect');
    expect(critique?.prompt).toContain('taste: Too stiff for our readers.');
  });

  test('a worker that picks up the waiting run again makes no model calls and keeps the pause', async () => {
    const { context, runId, record } = await waiting();
    const callsBefore = (await listModelCalls(db.database(), runId)).length;
    await performRun(testWorkerContext(context), runId);
    const after = await stored(runId);
    expect(after.waitingFor).toEqual(record.waitingFor);
    expect(await listModelCalls(db.database(), runId)).toHaveLength(callsBefore);
  });

  test('a reason that quotes the reference is shown to people but not to models', async () => {
    const reference = 'The moon pulls the water twice a day';
    const { context, runId, pauseId } = await waiting(WITH_PEOPLE, reference);
    unwrap(
      await decide(context, TESTER, runId, {
        decision: 'score',
        pauseId,
        criterion: 'taste',
        score: 0.1,
        reason: `Say: ${reference}.`,
      }),
    );
    unwrap(await decide(context, TESTER, runId, { decision: 'score', pauseId, criterion: 'fit', score: 0.1 }));
    await performRun(testWorkerContext(context), runId);
    const [version] = (await stored(runId)).versions;
    const scored = version?.evaluations.at(-1);
    expect(scored?.detail).toContain(reference);
    expect(scored?.reasons.taste).not.toContain('moon');
    const prompts = (await listModelCalls(db.database(), runId)).map(({ prompt }) => prompt);
    expect(prompts.some((prompt) => prompt.includes('<feedback>'))).toBe(true);
    for (const prompt of prompts) expect(prompt).not.toContain('pulls the water');
  });
});

describe('other decisions instead of a score', () => {
  test('continue resumes the run and leaves the version unscored', async () => {
    const { context, runId, pauseId } = await waiting();
    unwrap(await decide(context, TESTER, runId, { decision: 'continue', pauseId }));
    await performRun(testWorkerContext(context), runId);
    expect(await stored(runId)).toMatchObject({ status: 'waiting', bestVersion: null, waitingFor: { version: 1 } });
  });

  test('accept finishes the run with the version; stop ends it without one', async () => {
    const accepted = await waiting();
    unwrap(await decide(accepted.context, TESTER, accepted.runId, { decision: 'accept', pauseId: accepted.pauseId }));
    expect(await stored(accepted.runId)).toMatchObject({
      status: 'finished',
      convergenceReason: 'user_accepted',
      finalVersion: 0,
    });
    const stopped = await waiting();
    unwrap(await decide(stopped.context, TESTER, stopped.runId, { decision: 'stop', pauseId: stopped.pauseId }));
    expect(await stored(stopped.runId)).toMatchObject({ status: 'stopped', convergenceReason: 'user_stopped' });
  });

  test('an override of the overall score replaces the human scores and the run continues', async () => {
    const { context, runId } = await waiting();
    unwrap(await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.9 }));
    expect(await stored(runId)).toMatchObject({ status: 'finished', convergenceReason: 'quality_met' });
  });

  test('an override of a machine criterion leaves the human scores pending', async () => {
    const { context, runId, pauseId } = await waiting();
    unwrap(
      await decide(context, TESTER, runId, { decision: 'override', version: 0, score: 0.2, criterion: 'clarity' }),
    );
    expect(await stored(runId)).toMatchObject({
      status: 'waiting',
      waitingFor: { pauseId, wouldStopAs: null, asks: [{}, {}] },
    });
  });
});

describe('a rejected score', () => {
  test.each<[string, object, string | null, string, RegExp]>([
    ['out of range', { criterion: 'taste', score: 1.5 }, 'score', 'invalid', /0 to 1/],
    ['without a number', { criterion: 'taste' }, 'score', 'invalid', /0 to 1/],
    ['without its criterion if two are requested', { score: 0.5 }, 'criterion', 'invalid', /taste, fit/],
    [
      'for a criterion that the machine scores',
      { criterion: 'clarity', score: 0.5 },
      'criterion',
      'invalid',
      /taste, fit/,
    ],
    ['for another version', { criterion: 'taste', score: 0.5, version: 7 }, 'version', 'invalid', /does not exist/],
    ['without its pause', { criterion: 'taste', score: 0.5, pauseId: undefined }, 'pauseId', 'conflict', /pauseId/],
    [
      'at another pause',
      { criterion: 'taste', score: 0.5, pauseId: '00000000-0000-4000-8000-000000000000' },
      'pauseId',
      'conflict',
      /does not wait at this pause/,
    ],
  ])('%s', async (_name, input, field, code, message) => {
    const { context, runId, pauseId, record } = await waiting();
    const refused = await decide(context, TESTER, runId, { decision: 'score', pauseId, ...input });
    expect(refused).toMatchObject({ ok: false, problem: { code, field, message: expect.stringMatching(message) } });
    expect(await stored(runId)).toEqual(record);
  });

  test('is rejected if already given, and the error names who gave it', async () => {
    const { context, runId, pauseId } = await waiting();
    unwrap(
      await decide(context, { ...TESTER, name: 'Bea' }, runId, {
        decision: 'score',
        pauseId,
        criterion: 'taste',
        score: 0.75,
      }),
    );
    const second = await decide(context, TESTER, runId, {
      decision: 'score',
      pauseId,
      criterion: 'taste',
      score: 0.1,
    });
    expect(second).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/^taste was scored already: 0\.75 by Bea, /) },
    });
    unwrap(await decide(context, TESTER, runId, { decision: 'score', pauseId, criterion: 'fit', score: 0.75 }));
    const late = await decide(context, TESTER, runId, { decision: 'score', pauseId, criterion: 'fit', score: 0.1 });
    expect(late).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/decided already: score by Tester/) },
    });
  });

  test('is rejected at a pause for a decision, and if the run is not waiting', async () => {
    const { context, runId, pauseId } = await waiting({ ...PRACTICE_WRITING, callbacks: { pause: 'always' } });
    const input = { decision: 'score', criterion: 'clarity', score: 0.5 };
    expect(await decide(context, TESTER, runId, { ...input, pauseId })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/waits for a decision/) },
    });
    unwrap(await decide(context, TESTER, runId, { decision: 'stop', pauseId }));
    expect(await decide(context, TESTER, runId, input)).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringMatching(/does not wait for a score/) },
    });
  });
});
