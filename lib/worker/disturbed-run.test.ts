import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import type { ModelCaller } from '#lib/providers/call/model-caller.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import { decide } from '#lib/runs/decide.ts';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { listRunEvents } from '#lib/runs/list-run-events.ts';
import type { Save } from '#lib/runs/save.ts';
import type { SaveOutcome } from '#lib/runs/save-results.ts';
import {
  PRACTICE_WRITING,
  queuedRun,
  storedRun,
  TESTER,
  testContext,
  testWorkerContext,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const TEXT = { input: 'Explain our rate limits to a new user' };
const WITHOUT_LESSONS: ExperimentSettingsInput = {
  ...{ ...PRACTICE_WRITING, qualityThreshold: 1, convergence: null },
  lessons: { store: 'none', write: 'off' },
};
const MODES: ExperimentSettingsInput[] = [
  { ...WITHOUT_LESSONS, mode: 'retry', maxAttempts: 3 },
  { ...WITHOUT_LESSONS, maxIterations: 2, budget: { maxExperimentTokens: 10_000_000 } },
];

/** What happens at a model call or a save, in turn. A person decides while it is in progress. */
const EVENTS = ['nothing', 'slow', 'dies before', 'dies after', 'unreachable', 'unconfirmed', 'refused'] as const;
const DECISIONS = ['none', 'none', 'none', 'override', 'stop'] as const;
type Moment = { event: (typeof EVENTS)[number]; decision: (typeof DECISIONS)[number] };
const moments = (decisions: readonly Moment['decision'][]) =>
  fc.array(fc.record({ event: fc.constantFrom(...EVENTS), decision: fc.constantFrom(...decisions) }), {
    maxLength: 30,
  });

const died = new Error('died');
const disconnected = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** Performs a run again after each crash, until it has ended. `answered`: the step and the prompt of each call that got a response. */
async function perform(settings: ExperimentSettingsInput, disturbances: readonly Moment[]) {
  const context = testContext(db.database());
  const runId = await queuedRun(context, settings, TEXT);
  const practice = testWorkerContext(context);
  const answered: string[] = [];
  const left = [...disturbances];
  const next = async (): Promise<Moment['event']> => {
    const { event, decision } = left.shift() ?? { event: 'nothing', decision: 'none' };
    if (event === 'slow') await sleep(20);
    // Refused, for example, while there is no score to override.
    if (decision !== 'none') await decide(context, TESTER, runId, { decision, ...(decision === 'override' && SCORE) });
    if (decision === 'stop') interruptRun(runId);
    return event;
  };
  const call: ModelCaller = async (request, options) => {
    const event = await next();
    if (event === 'dies before') throw died;
    const outcome = await practice.call(request, options);
    if (!outcome.ok) return outcome;
    const { text } = outcome.reply;
    answered.push(`${options.origin?.step} ${request.instructions} ${request.prompt}`);
    return request.role === 'generate'
      ? { ok: true, reply: { ...outcome.reply, text: `${text}\n\nDraft ${answered.length}` } }
      : outcome;
  };
  const save = async (one: Save, due?: Promise<void>): Promise<SaveOutcome> => {
    const event = await next();
    if (event === 'refused') return 'stale';
    if (event === 'unreachable') throw disconnected;
    if (event === 'dies before') throw died;
    const outcome = await practice.save(one, due);
    if (event === 'dies after') throw died;
    if (event === 'unconfirmed') throw disconnected;
    return outcome;
  };
  for (;;) {
    // A run with more crashes than progress would fail.
    await db.database().prisma.run.update({ where: { id: runId }, data: { idleClaims: 0 } });
    await performRun({ ...practice, call, save }, runId).catch((error: unknown) => {
      if (error !== died && !(error instanceof ReturnedJobError)) throw error;
    });
    const { run, history } = await storedRun(db.database(), runId);
    if (run.finishedAt === null) continue;
    const calls = await listModelCalls(db.database(), runId);
    const events = await listRunEvents(db.database(), runId, 0, 1_000);
    return { run, history, calls, events, answered };
  }
}

const SCORE = { version: 0, score: 0.2 };

/** The course of a run, without the IDs and times that differ between runs. */
function courseOf({ run, history, events, answered }: Awaited<ReturnType<typeof perform>>) {
  return {
    versions: history.versions.map(({ number, step, output }) => ({ number, step, output })),
    evaluations: history.evaluations.map(({ version, step, overallScore }) => ({ version, step, overallScore })),
    decisions: history.decisions.map(({ step, version, decision, reason }) => ({ step, version, decision, reason })),
    events: events.map(({ number, type, data }) => ({ number, type, data })),
    end: [run.step, run.convergenceReason, run.callCount],
    answered: answered.toSorted(),
  };
}

test('a run whose calls and saves fail, wait or are refused repeats no call and has the same course', async () => {
  const calm = new Map(
    await Promise.all(MODES.map(async (settings) => [settings, courseOf(await perform(settings, []))] as const)),
  );
  const property = fc.asyncProperty(fc.constantFrom(...MODES), moments(['none']), async (settings, disturbances) => {
    expect(courseOf(await perform(settings, disturbances))).toEqual(calm.get(settings));
  });
  await fc.assert(property, { numRuns: 10, seed: 1 });
});

test('each response is stored and counted once, whenever people decide', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...MODES), moments(DECISIONS), async (settings, disturbances) => {
    const { run, history, calls, events, answered } = await perform(settings, disturbances);
    expect(new Set(answered).size).toBe(answered.length);
    const stored = calls.filter(({ failure }) => failure === null);
    const texts = stored.map(({ step, instructions, prompt }) => `${step} ${instructions} ${prompt}`);
    expect(texts.toSorted()).toEqual(answered.toSorted());
    expect(run.tokenUsage.total).toBe(calls.reduce((sum, { tokenUsage }) => sum + tokenUsage.total, 0));
    expect(events.map(({ number }) => number)).toEqual(events.map((_, place) => place + 1));
    expect(run.eventNumber).toBe(events.length);
    const judged = history.evaluations.filter(({ by }) => by === 'machine').map(({ version }) => version);
    expect(judged).toEqual([...new Set(judged)]);
    expect(history.versions.map(({ number }) => number)).toEqual(history.versions.map((_, place) => place));
  });
  await fc.assert(property, { numRuns: 10, seed: 1 });
});
