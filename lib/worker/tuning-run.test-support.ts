import { randomUUID } from 'node:crypto';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { PROPOSAL_FENCE } from '#lib/core/tuning/proposal-prompt.ts';
import type { Database } from '#lib/database/database.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import type { ModelCaller, ModelOutcome, ModelRequest } from '#lib/providers/call/model-caller.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { performRun } from './perform-run.ts';

/**
 * Returns a prompt that contains the answers to these cases only. A score then shows which words it contains, and a script determines the
 * score of every prompt.
 */
export function promptKnowing(...known: string[]): string {
  return `Item: {{input}}. Known: ${known.join(' ')}.`;
}

/** Returns cases whose correct answer is `yes`, with `split` as a tag. */
export function casesNamed(split: 'train' | 'validation' | 'held_out', ...names: string[]) {
  return names.map((input) => ({ input, reference: 'yes', tags: [split] }));
}

/** Returns settings without stored responses, because their instructions are unique to the test. */
export function tuningSettings(changes: Partial<ExperimentSettingsInput> = {}): ExperimentSettingsInput {
  const generator = { provider: 'practice', model: 'practice-1', instructions: randomUUID() };
  // One proposal at a time, because a script provides the proposals in order.
  return { ...TUNING, generator, ...changes, tune: { proposalsAtOnce: 1, ...changes.tune } };
}

const TUNING: ExperimentSettingsInput = {
  mode: 'tune',
  generator: { provider: 'practice', model: 'practice-1' },
  prompts: { generate: promptKnowing() },
  criteria: [{ name: 'exact', evaluator: 'reference', config: { match: 'exact' } }],
  qualityThreshold: 1,
  maxIterations: 3,
  convergence: null,
};

/** Cost of each call, in US dollars. Judge calls cost the same as calls that run a prompt. */
export const CALL_COST_USD = 0.01;
export const CALL_TOKENS = 400;
const SPEND = { tokenUsage: { input: 300, output: 100, total: CALL_TOKENS }, costUsd: CALL_COST_USD, latencyMs: 10 };

/** A response text or a failure. With `null` the words in the prompt determine the response. */
export type ScriptedResponse = string | { fails: 'unavailable' | 'aborted' } | null;

type ScriptedTuner = {
  call: ModelCaller;
  /** All calls so far, oldest first. */
  asked: ModelRequest[];
  /** Returns the maximum number of calls in flight at the same time. */
  most: () => number;
};

/**
 * Returns a model that answers `yes` to the cases in its prompt and proposes the given prompts in order. `says` may replace its response,
 * after any delay. An aborted call returns the failure `aborted`.
 */
export function scriptedTuner(
  proposals: string[],
  says: (request: ModelRequest, asked: ModelRequest[]) => ScriptedResponse | Promise<ScriptedResponse> = () => null,
): ScriptedTuner {
  const asked: ModelRequest[] = [];
  let proposed = 0;
  let inFlight = 0;
  let most = 0;
  const call: ModelCaller = async (request, { signal }) => {
    asked.push(request);
    inFlight++;
    most = Math.max(most, inFlight);
    const response = await says(request, asked);
    inFlight--;
    if (signal.aborted) return failed('aborted');
    if (typeof response === 'object' && response !== null) return failed(response.fails);
    const text =
      response ?? (request.role === 'reflect' ? proposalOf(proposals[proposed++]) : answerTo(request.prompt));
    return { ok: true, reply: { ...SPEND, text, finishReason: 'stop', attempts: 1, warnings: [] } };
  };
  return { call, asked, most: () => most };
}

function proposalOf(prompt: string | undefined): string {
  if (prompt === undefined) throw new Error('the script has no further proposal');
  return `It knows too little.\n${PROPOSAL_FENCE}\n${prompt}\n${PROPOSAL_FENCE}`;
}

function answerTo(prompt: string): string {
  const [, item = '', known = ''] = /Item: (.*?)\. Known: (.*?)\./s.exec(prompt) ?? [];
  return known.split(' ').includes(item) ? 'yes' : 'no';
}

function failed(kind: 'unavailable' | 'aborted'): ModelOutcome {
  const spend = { tokenUsage: { input: 0, output: 0, total: 0 }, costUsd: 0, latencyMs: 0 };
  const words = { message: 'The model is down.', remedy: 'Try again later.' };
  return { ok: false, failure: { ...spend, ...words, kind, status: null, attempts: kind === 'aborted' ? 0 : 1 } };
}

/** Returns the names of the cases that were run with a prompt containing exactly these words, in alphabetical order. */
export function triedOn(asked: ModelRequest[], ...known: string[]): string[] {
  const names = asked.flatMap(({ role, prompt }) => {
    const [, item = '', words] = /Item: (.*?)\. Known: (.*?)\./s.exec(prompt) ?? [];
    return role === 'try' && words === known.join(' ') ? [item] : [];
  });
  return names.toSorted();
}

/** Three training cases, two validation cases and two held-out cases. */
export const TUNED_CASES = [
  ...casesNamed('train', 'a', 'b', 'c'),
  ...casesNamed('validation', 'p', 'q'),
  ...casesNamed('held_out', 'x', 'y'),
];

/** Performs a tuning run until it ends or pauses. `perform` continues it. `load` reads the stored run. */
export async function performedTuning(
  database: Database,
  settings: ExperimentSettingsInput,
  tuner: ScriptedTuner,
  cases: ReturnType<typeof casesNamed> = TUNED_CASES,
) {
  const context = testContext(database);
  const { runId, experimentId } = await queuedTuning(context, settings, cases);
  const perform = () => performRun(testWorkerContext(context, tuner.call), runId);
  await perform();
  return { context, tuner, runId, experimentId, perform, load: () => storedRun(context.database, runId) };
}

/** Creates a queued tuning run of a new experiment. */
export async function queuedTuning(
  context: AppContext,
  settings: ExperimentSettingsInput,
  cases: ReturnType<typeof casesNamed>,
): Promise<{ runId: string; experimentId: string }> {
  const { id: experimentId } = unwrap(
    await createExperiment(context, TESTER, { name: 'tuning', ...settingsSchema.parse(settings) }),
  );
  return { experimentId, runId: await startedTuning(context, experimentId, cases) };
}

export async function startedTuning(
  context: AppContext,
  experimentId: string,
  cases: ReturnType<typeof casesNamed>,
): Promise<string> {
  const options = { idempotencyKey: null, watched: false };
  const { runIds } = unwrap(await startBatch(context, TESTER, experimentId, { cases }, options));
  return runIds[0] ?? '';
}
