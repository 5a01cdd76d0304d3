import { describe, expect, test } from 'vitest';
import type { ModelRequest } from '#lib/core/model-request.ts';
import { findAblationView } from '#lib/runs/ablations.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { requestAblation, stopAblation } from '#lib/runs/request-ablation.ts';
import { granted, TESTER, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performAblations } from './perform-ablations.ts';
import { leftOver, performJob } from './perform-job.ts';
import { casesNamed, performedTuning, type Said, scriptedTuner, tuningSettings } from './tuning-run.test-support.ts';

const db = useTestDatabase();

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
/** The whole prompt and the prompt without each of its two new lines. */
const ALL_TRIES = 3 * VALIDATION.length;

/** A model that is right where its prompt has the useful line. */
function says({ role, prompt }: ModelRequest): Said {
  if (role === 'reflect') return null;
  return prompt.includes(USEFUL) ? 'yes' : 'no';
}

/** A tuning run that ended with a prompt of two new lines, one of which helps. */
async function endedTuning(answer: (request: ModelRequest, asked: ModelRequest[]) => Said | Promise<Said> = says) {
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

describe('measuring what each change of the winning prompt contributed', () => {
  test('says before what it takes', async () => {
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
        leastTries: 12,
        mostTries: 36,
        callsPerTry: 1,
        costPerTryUsd: expect.closeTo(0.01),
      },
      problem: null,
      report: null,
    });
  });

  test('finds the line that matters, and the one that makes no difference, on validation cases only', async () => {
    const run = await endedTuning();
    expect(granted(await run.measure())).toMatchObject({ status: 'waiting', tries: 0, cases: 12 });
    expect(run.context.sent).toEqual([run.runId]);
    await performJob(testWorkerContext(run.context, run.tuner.call), run.runId);
    const report = await reportOf(run);
    expect(report).toMatchObject({ version: 1, status: 'done', tries: 36, cases: 12, whole: { n: 12, mean: 1 } });
    expect(report.costUsd).toBeCloseTo(0.36);
    const counted = { n: 12, better: 12, worse: 0, same: 0, contribution: 1, low: expect.closeTo(0.515, 3), high: 1 };
    expect(report.parts).toMatchObject([
      { removed: [USEFUL], restored: [], ...counted, verdict: 'helps' },
      { removed: [USELESS], n: 12, same: 12, contribution: 0, low: null, high: null, p: 1, verdict: 'no_difference' },
    ]);
    // Of two parts, the smaller p counts twice.
    const [useful] = report.parts;
    expect(useful?.p).toBeCloseTo(2 / 2 ** 12);
    expect(useful?.pHolm).toBeCloseTo(4 / 2 ** 12);
    const inputs = new Set(run.tuner.asked.map(({ prompt }) => /The mail: (.*)/.exec(prompt)?.[1]));
    expect([...inputs].toSorted()).toEqual(VALIDATION.toSorted());
  });

  test('leaves the run as it was: history, result, sums and candidates', async () => {
    const run = await endedTuning();
    granted(await run.measure());
    await run.work();
    expect(await run.load()).toEqual(run.stored);
    const calls = await listModelCalls(db.database(), run.runId);
    expect(calls.filter(({ step }) => step < 0)).toHaveLength(36);
  });

  test('on a few cases there is not enough evidence, and more tries go on with the others', async () => {
    const run = await endedTuning();
    granted(await run.measure(13));
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 12, cases: 4 });
    const verdicts = (await reportOf(run)).parts.map(({ verdict }) => verdict);
    expect(verdicts).toEqual(['not_enough_evidence', 'not_enough_evidence']);
    expect(await run.measure(12)).toMatchObject({ ok: false, problem: { code: 'conflict', field: 'maxTries' } });
    granted(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36, cases: 12 });
    expect(run.tuner.asked).toHaveLength(36);
  });

  test('taken up again after a kill it does not ask for what was answered', async () => {
    const stops = new AbortController();
    let isMeasuring = false;
    const run = await endedTuning((request, asked) => {
      if (isMeasuring && asked.length === 30) stops.abort();
      return says(request);
    });
    isMeasuring = true;
    granted(await run.measure());
    await expect(run.work(stops.signal)).rejects.toThrow('stops');
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

  test('its tries are not saved twice where they were not settled', async () => {
    const run = await endedTuning();
    granted(await run.measure());
    await run.work();
    // As if the worker had died between keeping the replies and saving the tries.
    await db.database().prisma.ablationTry.deleteMany();
    await db.database().prisma.ablation.updateMany({ data: { status: 'waiting', heldBy: null, heldUntil: null } });
    run.tuner.asked.length = 0;
    await run.work();
    expect(run.tuner.asked).toEqual([]);
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
  });

  test('two workers at once do not ask the same', async () => {
    const run = await endedTuning();
    granted(await run.measure());
    await Promise.allSettled([run.work(), run.work()]);
    expect(run.tuner.asked).toHaveLength(36);
    expect(await leftOver(db.database())([run.runId])).toEqual([]);
  });

  test('a model that does not answer ends it with its reason, and it can be asked for again', async () => {
    let isDown = false;
    const run = await endedTuning((request) => (isDown ? { fails: 'unavailable' } : says(request)));
    granted(await run.measure());
    isDown = true;
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'failed', message: 'The model is down. Try again later.' });
    isDown = false;
    granted(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', message: null, tries: 36 });
  });

  test('can be stopped, and keeps what was measured', async () => {
    const run = await endedTuning();
    granted(await run.measure());
    expect(await run.measure()).toMatchObject({ ok: false, problem: { code: 'conflict' } });
    expect(granted(await stopAblation(run.context, TESTER, run.runId))).toMatchObject({ status: 'stopped' });
    await run.work();
    expect(run.tuner.asked).toEqual([]);
    expect(await stopAblation(run.context, TESTER, run.runId)).toMatchObject({ ok: false });
    granted(await run.measure());
    await run.work();
    expect(await reportOf(run)).toMatchObject({ status: 'done', tries: 36 });
  });

  test('a case that cannot be scored is tried twice and stays a gap', async () => {
    const run = await endedTuning();
    await db.database().prisma.runCase.updateMany({
      where: { runId: run.runId, input: VALIDATION[0] ?? '' },
      data: { reference: null },
    });
    granted(await run.measure(60));
    await run.work();
    const report = await reportOf(run);
    expect(report).toMatchObject({ status: 'done', tries: 39 });
    expect(report.parts.map(({ n }) => n)).toEqual([11, 11]);
  });

  test.each([
    { name: 'no tries', input: {}, code: 'invalid' },
    { name: 'too few tries for a comparison', input: { maxTries: 11 }, code: 'invalid' },
    { name: 'a run that there is not', input: { maxTries: 36 }, code: 'not_found', runId: crypto.randomUUID() },
  ])('refuses $name', async ({ input, code, runId }) => {
    const run = await endedTuning();
    expect(await requestAblation(run.context, TESTER, runId ?? run.runId, input)).toMatchObject({
      ok: false,
      problem: { code },
    });
    expect(run.context.sent).toEqual([]);
  });

  test('refuses a run that kept its first prompt', async () => {
    const tuner = scriptedTuner([BETTER], ({ role }) => (role === 'reflect' ? null : 'no'));
    const settings = tuningSettings({ prompts: { generate: FIRST }, maxIterations: 1, tune: { maxRepeats: 1 } });
    const { context, runId } = await performedTuning(db.database(), settings, tuner, CASES);
    expect(await requestAblation(context, TESTER, runId, { maxTries: 36 })).toMatchObject({
      ok: false,
      problem: { code: 'conflict', message: 'The run kept its first prompt, so there are no changes.' },
    });
  });
});
