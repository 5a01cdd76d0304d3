import { once } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { findAblationView, findMeasurable, requestAblation, stopAblation } from '#lib/runs/ablations.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { runsWithWaitingWork } from '#lib/runs/worker-queries.ts';
import { TESTER, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performAblations } from './perform-ablations.ts';
import { performJob } from './perform-job.ts';
import {
  casesNamed,
  performedTuning,
  type ScriptedResponse,
  scriptedTuner,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
afterEach(() => void vi.useRealTimers());

const FIRST = 'Sort the mail.\nThe mail: {{input}}';
const USEFUL = 'A refund is a payment, whatever the mail calls it.';
const USELESS = 'Please be very polite in everything that you do.';
const BETTER = `Sort the mail.\n${USEFUL}\n${USELESS}\nThe mail: {{input}}`;
const VALIDATION = Array.from({ length: 12 }, (_, at) => `refund ${at}`);
const CASES = [
  ...casesNamed('train', 'a refund', 'another refund'),
  ...casesNamed('validation', ...VALIDATION),
  ...casesNamed('held_out', 'hidden refund'),
];
/** The full prompt, and the prompt without each of its two new lines. */
const ALL_TRIES = 3 * VALIDATION.length;

/** A model that is correct only if its prompt contains the useful line. */
function says({ role, prompt }: ModelRequest): ScriptedResponse {
  if (role === 'reflect') return null;
  return prompt.includes(USEFUL) ? 'yes' : 'no';
}

/** A tuning run that ended with a prompt that has two new lines, one of which helps. */
async function endedTuning(
  answer: (request: ModelRequest, asked: ModelRequest[]) => ScriptedResponse | Promise<ScriptedResponse> = says,
) {
  const tuner = scriptedTuner([BETTER], answer);
  const settings = tuningSettings({ prompts: { generate: FIRST }, maxIterations: 1, tune: { maxRepeats: 1 } });
  const made = await performedTuning(db.database(), settings, tuner, CASES);
  const stored = await made.load();
  expect(stored.run.finalVersion).toBe(1);
  tuner.asked.length = 0;
  made.context.sent.length = 0;
  const measure = (maxTries = ALL_TRIES) => requestAblation(made.context, TESTER, made.runId, { maxTries });
  const work = (signal?: AbortSignal) =>
    performAblations(testWorkerContext(made.context, tuner.call, signal), made.runId);
  const view = async () => findAblationView(db.database(), await made.load());
  return { ...made, stored, measure, work, view };
}

async function reportOf(run: Awaited<ReturnType<typeof endedTuning>>) {
  const { report } = await run.view();
  if (report === null) throw new Error('nothing was measured');
  return report;
}

describe('an ablation of the winning prompt', () => {
  test('shows the number of evaluations and the cost in advance', async () => {
    const run = await endedTuning();
    expect(await run.view()).toEqual({
      plan: {
        version: 1,
        parts: [
          { edits: [{ start: 1, end: 2, restored: [] }], removed: [USEFUL], restored: [] },
          { edits: [{ start: 2, end: 3, restored: [] }], removed: [USELESS], restored: [] },
        ],
        fixed: [],
        cases: 12,
        validatesOn: 'validation',
        leastTries: 21,
        mostTries: 36,
        callsPerTry: 1,
        costPerTryUsd: expect.closeTo(0.01),
      },
      problem: null,
      report: null,
    });
  });

  test('detects the line that helps and the one that makes no difference, on validation cases only', async () => {
    const run = await endedTuning();
    expect(unwrap(await run.measure())).toMatchObject({ status: 'waiting', tries: 0, cases: 0 });
    expect(run.context.sent).toEqual([run.runId]);
    await performJob(testWorkerContext(run.context, run.tuner.call), run.runId);
    const report = await reportOf(run);
    expect(report).toMatchObject({ version: 1, status: 'done', tries: 36, cases: 12, whole: { n: 12, mean: 1 } });
    expect(report.costUsd).toBeCloseTo(0.36);
    const counted = { n: 12, better: 12, worse: 0, same: 0, contribution: 1, low: 0.757506, high: 1 };
    expect(report.parts).toMatchObject([
      { removed: [USEFUL], restored: [], ...counted, verdict: 'helps' },
      {
        removed: [USELESS],
        n: 12,
        same: 12,
        contribution: 0,
        low: -0.242494,
        high: 0.242494,
        p: 1,
        verdict: 'no_difference',
      },
    ]);
    // Holm correction: with two parts, the smaller p is doubled.
    const [useful] = report.parts;
    expect(useful?.p).toBeCloseTo(2 / 2 ** 12);
    expect(useful?.pHolm).toBeCloseTo(4 / 2 ** 12);
    const inputs = new Set(run.tuner.asked.map(({ prompt }) => /The mail: (.*)/.exec(prompt)?.[1]));
    expect([...inputs].toSorted()).toEqual(VALIDATION.toSorted());
  });

  test('leaves the history, result, totals and candidates of the run unchanged', async () => {
    const run = await endedTuning();
    unwrap(await run.measure());
    await run.work();
    expect(await run.load()).toEqual(run.stored);
    const calls = await listModelCalls(db.database(), run.runId);
    expect(calls.filter(({ step }) => step < 0)).toHaveLength(36);
  });

  test('uses the fewest cases that can show a difference, and a larger limit continues with the remaining cases', async () => {
    const run = await endedTuning();
    unwrap(await run.measure(22));
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 21, cases: 7 });
    const verdicts = (await reportOf(run)).parts.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['helps', 'not_enough_evidence']);
    expect(await run.measure(21)).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'maxTries' } });
    unwrap(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36, cases: 12 });
    expect(run.tuner.asked).toHaveLength(36);
  });

  test('does not repeat completed calls when restarted after a kill', async () => {
    const stops = new AbortController();
    let isMeasuring = false;
    const run = await endedTuning((request, asked) => {
      if (isMeasuring && asked.length === 30) stops.abort();
      return says(request);
    });
    isMeasuring = true;
    unwrap(await run.measure());
    await expect(run.work(stops.signal)).rejects.toThrow('returned to the queue');
    const saved = (await listModelCalls(db.database(), run.runId)).filter(
      ({ step, text }) => step < 0 && text !== null,
    );
    expect(saved.length).toBeGreaterThan(0);
    expect((await reportOf(run)).status).toBe('waiting');
    run.tuner.asked.length = 0;
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
    expect(run.tuner.asked).toHaveLength(36 - saved.length);
  });

  test('reuses saved responses if the worker was killed before saving the scores', async () => {
    const run = await endedTuning();
    unwrap(await run.measure());
    await run.work();
    // Simulates a worker that crashed after saving the responses and before saving the scores.
    await db.database().prisma.ablationTry.deleteMany();
    await db.database().prisma.ablation.updateMany({ data: { status: 'waiting', heldBy: null, heldUntil: null } });
    run.tuner.asked.length = 0;
    await run.work();
    expect(run.tuner.asked).toEqual([]);
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
  });

  test('two concurrent workers make no duplicate calls', async () => {
    const run = await endedTuning();
    unwrap(await run.measure());
    await Promise.allSettled([run.work(), run.work()]);
    expect(run.tuner.asked).toHaveLength(36);
    expect(await runsWithWaitingWork(db.database(), [run.runId])).toEqual([]);
  });

  test('fails with the reason if the model is unavailable, and can be requested again', async () => {
    let isDown = false;
    const run = await endedTuning((request) => (isDown ? { fails: 'unavailable' } : says(request)));
    unwrap(await run.measure());
    isDown = true;
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'failed', message: 'The model is down. Try again later.' });
    isDown = false;
    unwrap(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', message: null, tries: 36 });
  });

  test('can be stopped and requested again', async () => {
    const run = await endedTuning();
    unwrap(await run.measure());
    expect(await run.measure()).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(unwrap(await stopAblation(run.context, TESTER, run.runId))).toMatchObject({ status: 'stopped' });
    await run.work();
    expect(run.tuner.asked).toEqual([]);
    expect(await stopAblation(run.context, TESTER, run.runId)).toMatchObject({ ok: false });
    unwrap(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
  });

  test('makes no call twice if stopped and requested again while calls are in progress', async () => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let isMeasuring = false;
    const run = await endedTuning(async (request) => {
      if (isMeasuring) {
        begun.resolve();
        await gate.promise;
      }
      return says(request);
    });
    isMeasuring = true;
    unwrap(await run.measure(22));
    const first = run.work();
    await begun.promise;
    unwrap(await stopAblation(run.context, TESTER, run.runId));
    unwrap(await run.measure());
    await expect(run.work()).rejects.toThrow('another worker holds the ablations');
    gate.resolve();
    await first;
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36, cases: 12 });
    expect(run.tuner.asked).toHaveLength(36);
  });

  test('keeps completed responses and aborts the other calls if stopped while calls are in progress', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const run = await endedTuning();
    unwrap(await run.measure());
    const begun = Promise.withResolvers<void>();
    let calls = 0;
    const slow: ModelCaller = async (request, options) => {
      if (++calls > 5) {
        begun.resolve();
        await once(options.signal, 'abort');
      }
      return run.tuner.call(request, options);
    };
    const work = performAblations(testWorkerContext(run.context, slow), run.runId);
    await begun.promise;
    unwrap(await stopAblation(run.context, TESTER, run.runId));
    await vi.advanceTimersByTimeAsync(5_000);
    await work;
    expect(await reportOf(run)).toMatchObject({ status: 'stopped', tries: 5, cases: 5 });
    unwrap(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
  });

  test('is stopped when its run is resumed', async () => {
    const run = await endedTuning(({ role, prompt }) =>
      role === 'reflect' ? null : prompt.includes(USEFUL) && !prompt.includes('refund 0') ? 'yes' : 'no',
    );
    unwrap(await run.measure());
    unwrap(await resumeRun(run.context, TESTER, run.runId, { budget: { maxIterations: 2 } }));
    expect(await run.view()).toMatchObject({ plan: null, problem: 'Wait until the run has ended.', report: null });
    const where = { runId: run.runId };
    expect(await db.database().prisma.ablation.findMany({ where })).toMatchObject([{ number: 1, status: 'stopped' }]);
    await run.work();
    expect(run.tuner.asked).toEqual([]);
  });

  test('is shown and can be stopped after another prompt has won', async () => {
    const run = await endedTuning();
    unwrap(await run.measure());
    await db.database().prisma.run.update({ where: { id: run.runId }, data: { finalVersion: 0 } });
    expect(await run.view()).toMatchObject({ plan: null, report: { version: 1, status: 'waiting' } });
    unwrap(await stopAblation(run.context, TESTER, run.runId));
    expect(await run.view()).toMatchObject({ plan: null, report: null });
  });

  test('estimates the cost from the model and temperature of the winning prompt', async () => {
    const { stored } = await endedTuning();
    const { history } = stored;
    const [, winner] = history.versions;
    const [tried] = history.tries;
    if (!winner?.proposal || tried === undefined) throw new Error('nothing was tuned');
    const warm = { ...winner, number: 2, proposal: { ...winner.proposal, parameters: { temperature: 1.5 } } };
    const found = findMeasurable({
      ...stored,
      history: {
        ...history,
        versions: [...history.versions, warm],
        tries: [...history.tries, { ...tried, version: 2, costUsd: 100 }],
      },
    });
    expect(found).toMatchObject({ plan: { costPerTryUsd: expect.closeTo(0.01) } });
  });

  test('reports no changed lines if only the temperature changed', async () => {
    const { stored } = await endedTuning();
    const { history } = stored;
    const versions = history.versions.map((version) =>
      version.proposal === null
        ? version
        : { ...version, output: FIRST, proposal: { ...version.proposal, parameters: { temperature: 1.5 } } },
    );
    expect(findMeasurable({ ...stored, history: { ...history, versions } })).toEqual({
      problem: 'Only the model or the temperature changed, so there are no changed lines.',
    });
  });

  test('scores an unscorable case twice and then leaves it out', async () => {
    const run = await endedTuning();
    await db.database().prisma.runCase.updateMany({
      where: { runId: run.runId, input: VALIDATION[0] ?? '' },
      data: { reference: null },
    });
    unwrap(await run.measure(60));
    await run.work();
    const report = await reportOf(run);
    expect(report).toMatchObject({ status: 'done', tries: 39 });
    expect(report.parts.map(({ n }) => n)).toEqual([11, 11]);
  });

  test.each([
    { name: 'a limit of zero scores', input: {}, code: 'invalid' },
    { name: 'too few scores for a comparison', input: { maxTries: 20 }, code: 'invalid' },
    { name: 'an unknown run', input: { maxTries: 36 }, code: 'not_found', runId: crypto.randomUUID() },
  ])('rejects $name', async ({ input, code, runId }) => {
    const run = await endedTuning();
    expect(await requestAblation(run.context, TESTER, runId ?? run.runId, input)).toMatchObject({
      ok: false,
      problem: { code },
    });
    expect(run.context.sent).toEqual([]);
  });

  test('rejects a run that kept its first prompt', async () => {
    const tuner = scriptedTuner([BETTER], ({ role }) => (role === 'reflect' ? null : 'no'));
    const settings = tuningSettings({ prompts: { generate: FIRST }, maxIterations: 1, tune: { maxRepeats: 1 } });
    const { context, runId } = await performedTuning(db.database(), settings, tuner, CASES);
    expect(await requestAblation(context, TESTER, runId, { maxTries: 36 })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: 'The run kept its first prompt, so there are no changes.' },
    });
  });
});
