import { describe, expect, test } from 'vitest';
import { branchRun } from '#lib/batches/branch-run.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import { findBlindPairs } from '#lib/blind-review/blind-review.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { candidateState } from '#lib/core/tuning/candidate-state.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { requestReflection } from '#lib/worker/request-reflection.ts';
import { requestRetrospective } from '#lib/worker/request-retrospectives.ts';
import {
  casesNamed,
  performedTuning,
  promptKnowing,
  queuedTuning,
  scriptedTuner,
  TUNED_CASES,
  triedOn,
  tuningSettings,
} from '#lib/worker/tuning-run.test-support.ts';
import { decide } from './decide.ts';
import { listExampleScores } from './example-scores.ts';
import { listRuns } from './list-runs.ts';
import { findRun } from './queries.ts';
import { rescoreVersion } from './rescores.ts';

const db = useTestDatabase();
/** Returns a run at its first pause and functions to continue it. */
async function paused(changes: Partial<ExperimentSettingsInput>, proposals: string[]) {
  const settings = tuningSettings({ callbacks: { pause: 'always' }, ...changes });
  const { load: stored, ...made } = await performedTuning(db.database(), settings, scriptedTuner(proposals));
  const say = async (input: object) => {
    const { pause } = (await stored()).history;
    return decide(made.context, TESTER, made.runId, { ...(pause !== null && { pauseId: pause.pauseId }), ...input });
  };
  return { ...made, stored, say };
}

describe('decisions at a pause of a tuning run', () => {
  test('an edit is validated and pauses again; once accepted, it is evaluated on held-out cases', async () => {
    const { tuner, perform, stored, say } = await paused({}, []);
    const edited = promptKnowing('p');
    unwrap(await say({ decision: 'edit', output: edited }));
    await perform();
    const { history, settings } = await stored();
    expect(history.pause).toMatchObject({ hook: 'onReflection', version: 1 });
    expect(history.versions[1]).toMatchObject({ origin: 'edited', parents: [0], proposal: null });
    expect(triedOn(tuner.asked, 'p')).toEqual(['p', 'q']);
    expect(history.evaluations.at(-1)).toMatchObject({ version: 1, overallScore: 0.5, by: 'machine' });
    expect(history.versions.map((version) => candidateState(history, settings, version))).toEqual(['given', 'by_hand']);
    unwrap(await say({ decision: 'accept', version: 1 }));
    await perform();
    const { run } = await stored();
    expect(run).toMatchObject({ convergenceReason: 'user_accepted', finalVersion: 1, success: true });
    expect(triedOn(tuner.asked, 'p')).toEqual(['p', 'q', 'x', 'y']);
    expect(triedOn(tuner.asked, '')).toContain('x');
  });

  test('guidance reaches the next proposal, which starts from the named version', async () => {
    const { tuner, perform, stored, say } = await paused({ convergence: null }, [
      promptKnowing('a', 'p'),
      promptKnowing('b', 'q'),
    ]);
    unwrap(await say({ decision: 'continue' }));
    await perform();
    unwrap(await say({ decision: 'revise', version: 0, guidance: 'Know the letter b.' }));
    await perform();
    const proposals = tuner.asked.filter(({ role }) => role === 'reflect');
    expect(proposals.map(({ prompt }) => prompt.includes('Know the letter b.'))).toEqual([false, true]);
    expect((await stored()).history.versions[2]?.parents).toEqual([0]);
  });

  test('a merge of two prompts is validated as one version', async () => {
    const { tuner, perform, stored, say } = await paused({}, [promptKnowing('a', 'p')]);
    unwrap(await say({ decision: 'continue' }));
    await perform();
    unwrap(await say({ decision: 'merge', parents: [1, 0], output: promptKnowing('p', 'q') }));
    await perform();
    const { history } = await stored();
    expect(history.versions[2]).toMatchObject({ origin: 'merged', parents: [1, 0] });
    expect(triedOn(tuner.asked, 'p', 'q')).toEqual(['p', 'q']);
  });

  test('accepts another version after the run ended, without model calls', async () => {
    const changes = { callbacks: { pause: 'never' as const }, maxIterations: 1 };
    const { tuner, stored, say } = await paused(changes, [promptKnowing('a', 'p')]);
    expect((await stored()).run).toMatchObject({
      convergenceReason: 'max_iterations',
      finalVersion: 1,
      success: false,
    });
    const asked = tuner.asked.length;
    unwrap(await say({ decision: 'accept', version: 0 }));
    expect((await stored()).run).toMatchObject({
      status: 'finished',
      convergenceReason: 'user_accepted',
      finalVersion: 0,
      success: true,
    });
    expect(tuner.asked).toHaveLength(asked);
  });

  test('a held-back proposal cannot be accepted, reverted to, revised or branched, only edited', async () => {
    const { context, runId, perform, say, stored } = await paused({}, ['Items are known.']);
    unwrap(await say({ decision: 'continue' }));
    await perform();
    const { history, settings } = await stored();
    const held = history.versions[1];
    expect(held && candidateState(history, settings, held)).toBe('held_back');
    for (const decision of [
      { decision: 'accept', version: 1 },
      { decision: 'revert', version: 1 },
      { decision: 'revise', version: 1, guidance: 'More.' },
    ])
      expect(await say(decision)).toMatchObject({
        ok: false,
        problem: { code: 'conflict', field: 'version', message: expect.stringContaining('held back') },
      });
    expect(await branchRun(context, TESTER, runId, { version: 1 }, { watched: false })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: expect.stringContaining('held back') },
    });
    unwrap(await say({ decision: 'edit', version: 1, output: promptKnowing('fixed') }));
    await perform();
    expect((await stored()).history.evaluations.map(({ version }) => version)).toEqual([0, 2]);
  });

  test.each<[string, object, string]>([
    ['a score', { decision: 'score', score: 1 }, 'waits for a decision, not for a score'],
    ['an override', { decision: 'override', version: 0, score: 1 }, 'mean over its cases'],
    ['a restored score', { decision: 'restore', version: 0 }, 'not overridden'],
    ['an unknown variable', { decision: 'edit', output: 'Item: {{input}} {{metadata.unit}}' }, 'metadata.unit'],
    ['an unchanged text', { decision: 'edit', output: promptKnowing() }, 'word for word'],
    ['a prompt that is too long', { decision: 'edit', output: `{{input}} ${'word '.repeat(200)}` }, 'At most 50'],
  ])('%s is rejected with a message', async (_name, decision, words) => {
    const { say, stored } = await paused({ tune: { maxPromptTokens: 50 } }, []);
    const { history } = await stored();
    const refused = await say(decision);
    expect(refused).toMatchObject({ ok: false, problem: { message: expect.stringContaining(words) } });
    expect((await stored()).history).toEqual(history);
  });
});

describe('other operations on a tuning run', () => {
  test('a branch copies cases and split, starts with the given prompt, and is validated', async () => {
    const { context, tuner, runId, stored } = await paused({}, []);
    const output = promptKnowing('q');
    const branch = unwrap(await branchRun(context, TESTER, runId, { version: 0, output }, { watched: false }));
    const { history, run } = await storedRun(context.database, branch.runId);
    expect(history.cases).toEqual((await stored()).history.cases);
    expect(history.versions).toMatchObject([{ number: 0, origin: 'branched', output, parents: [] }]);
    expect(run.input).toBe('7 cases');
    await performRun(testWorkerContext(context, tuner.call), branch.runId);
    expect(triedOn(tuner.asked, 'q')).toEqual(['p', 'q']);
    const unknownVariable = { version: 0, output: 'Item: {{input}} {{metadata.unit}}' };
    expect(await branchRun(context, TESTER, runId, unknownVariable, { watched: false })).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field: 'output' },
    });
  });

  test('rejects re-scores, retrospectives and manual reflections', async () => {
    const { context, runId, experimentId } = await paused({}, []);
    const signal = new AbortController().signal;
    for (const refused of [
      await rescoreVersion(context, TESTER, runId, 0, { times: 1 }),
      await requestRetrospective(context, TESTER, runId),
      await requestReflection(context, TESTER, runId, {}, signal),
    ])
      expect(refused).toMatchObject({
        ok: false,
        problem: { code: 'conflict', message: expect.stringMatching(/prompt/) },
      });
    expect(unwrap(await findBlindPairs(context, TESTER, experimentId, 5))).toMatchObject({ remaining: 0 });
  });

  test('summarizes the run, paginates its example scores, and lists it by its number of cases', async () => {
    const { runId, experimentId, perform, say } = await paused({}, [promptKnowing('a', 'p')]);
    unwrap(await say({ decision: 'continue' }));
    await perform();
    const found = await findRun(db.database(), runId);
    expect(found?.tuning).toMatchObject({
      cases: { train: 3, validation: 2, heldOut: 2 },
      proposals: 1,
      versions: [{ state: 'given' }, { state: 'candidate', minibatch: { before: 0, after: 1, of: 3 } }],
    });
    expect(found?.record.versions.map(({ proposal }) => proposal?.problems ?? null)).toEqual([null, []]);
    expect(found?.record.case).toEqual({ input: '7 cases', reference: null, tags: [], metadata: {} });

    const read = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listExampleScores>> = await listExampleScores(db.database(), runId, {
        cursor,
        limit: 4,
      });
      read.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(read.map(({ version, position }) => `${version} ${position}`)).toEqual(
      [0, 1].flatMap((version) => [0, 1, 2, 3, 4].map((position) => `${version} ${position}`)),
    );
    expect(read[5]).toMatchObject({ output: 'yes', score: 1, case: { input: 'a', split: 'train', reference: 'yes' } });
    const ofFirst = await listExampleScores(db.database(), runId, { version: 0, cursor: null, limit: 200 });
    expect(ofFirst.items).toEqual(read.slice(0, 5));

    const listed = await listRuns(db.database(), { experimentId, cursor: null, limit: 5 });
    expect(listed.items).toMatchObject([{ input: '7 cases', scores: [0, 0.5], versionCount: 2, status: 'waiting' }]);
  });
});

describe('starting a tuning run', () => {
  const started = async (start: object, tune: ExperimentSettingsInput['tune'] = {}) => {
    const context = testContext(db.database());
    const { experimentId } = await queuedTuning(context, tuningSettings({ tune }), TUNED_CASES);
    const begin = (idempotencyKey: string | null) =>
      startBatch(context, TESTER, experimentId, start, { idempotencyKey, watched: false });
    return { context, begin };
  };

  test('creates one run over all cases; the same idempotency key creates no second one', async () => {
    const cases = Array.from({ length: 20 }, (_, at) => ({ input: `case ${at}`, reference: 'yes' }));
    const { context, begin } = await started({ cases }, { validationShare: 0.4, heldOutShare: 0.25 });
    const key = crypto.randomUUID();
    const first = unwrap(await begin(key));
    expect(unwrap(await begin(key))).toEqual(first);
    expect(first.runIds).toHaveLength(1);
    const { history } = await storedRun(context.database, first.runIds[0] ?? '');
    const counts = Object.groupBy(history.cases, ({ split }) => split);
    expect([counts.train?.length, counts.validation?.length, counts.held_out?.length]).toEqual([9, 6, 5]);
    expect(history.cases.map(({ input }) => input)).toEqual(cases.map(({ input }) => input));
  });

  test.each<[string, object, string, string]>([
    ['a single input', { input: 'one' }, 'input', 'several cases'],
    ['too many cases', { cases: Array.from({ length: 2_001 }, () => ({ input: 'x' })) }, 'cases', '2000'],
    ['no training cases', { cases: casesNamed('validation', 'p', 'q') }, 'cases', 'training'],
  ])('%s is rejected', async (_name, start, field, words) => {
    const { begin } = await started(start);
    expect(await begin(null)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field, message: expect.stringContaining(words) },
    });
  });
});
