import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { failAll, problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { storeExperiment } from '#lib/experiments/create-experiment.ts';
import { readNewExperiment } from '#lib/experiments/read-new-experiment.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { planStart, startBatch, startInputSchema } from './start-batch.ts';

/** Request field with the cases. */
const START = 'start';

/** A new experiment and its first batch. `batchId` is null if creating the batch failed despite the validation. */
export type StartedExperiment = { id: string; batchId: string | null; runIds: string[] };

/**
 * Stores a new experiment and starts its first batch. `input` is `{experiment, start}`, each as in its own command. Both are validated
 * before anything is stored, and all errors are returned together. Fields of the cases start with `start.`.
 */
export async function startNewExperiment(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<StartedExperiment>> {
  const sent = isRecord(input) ? input : {};
  const start = parseInput(startInputSchema, sent.start, [START]);
  const ready = await readNewExperiment(context, sent.experiment);
  if (!ready.ok) return failAll([ready, start].flatMap((one) => (one.ok ? [] : one.problem))) ?? ready;
  if (!start.ok) return start;
  const planned = await planStart(context, ready.value.settings, start.value);
  if (!planned.ok) return { ok: false, problem: problemWithin(START, planned.problem) };
  const { id } = await storeExperiment(context, actor, ready.value);
  const batch = await startBatch(context, actor, id, sent.start, { idempotencyKey: null, watched: true });
  return succeed({ id, ...(batch.ok ? batch.value : { batchId: null, runIds: [] }) });
}
