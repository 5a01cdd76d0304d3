import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findDataset } from '#lib/db/find-dataset.ts';
import { findExperiment } from '#lib/db/find-experiment.ts';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { findBatchByKey, insertBatch } from '#lib/db/insert-batch.ts';
import { insertRunCases } from '#lib/db/insert-run-cases.ts';
import type { Case } from '#lib/reflection/case.ts';
import type { TuningCase } from '#lib/reflection/history.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { caseInputSchema, casesSchema } from './create-dataset.ts';
import { expectWatcher } from './live.ts';
import { parseInput } from './parse-input.ts';
import { planTuningRun } from './plan-tuning-run.ts';
import { refuseWithoutPython } from './refuse-without-python.ts';
import type { Workshop } from './workshop.ts';

/** What to run: one input, a list of cases, or a dataset; exactly one of them. */
export const startInputSchema = z
  .strictObject({
    input: caseInputSchema.shape.input.optional(),
    reference: caseInputSchema.shape.reference,
    cases: casesSchema.optional(),
    datasetId: z.uuid({ error: 'must be the id of a dataset' }).optional(),
  })
  .refine((start) => [start.input, start.cases, start.datasetId].filter((given) => given !== undefined).length === 1, {
    error: 'Name exactly one of input, cases and datasetId.',
  })
  .refine((start) => start.reference === null || start.input !== undefined, {
    path: ['reference'],
    error: 'goes with input only',
  });

type Started = { batchId: string; runIds: string[] };

/**
 * Makes a batch: one queued run a case, or one over all cases where a prompt is tuned, with the jobs that perform them, in one
 * transaction. The same `idempotencyKey` with the same request answers the batch it made before; with another request it is a
 * conflict. `watched`: somebody is about to look, so text is streamed from the first call on.
 */
export async function startBatch(
  workshop: Workshop,
  _actor: Actor,
  experimentId: string,
  input: unknown,
  options: { idempotencyKey: string | null; watched: boolean },
): Promise<Result<Started>> {
  const parsed = parseInput(startInputSchema, input);
  if (!parsed.ok) return parsed;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([experimentId, parsed.value]))
    .digest('hex');
  const repeated = await answerRepeated(workshop, options.idempotencyKey, requestHash);
  if (repeated !== null) return repeated;

  const experiment = await findExperiment(workshop.database, experimentId);
  if (experiment === null) return fail('not_found', `There is no experiment ${experimentId}.`);
  const refusal = await refuseWithoutPython(workshop, experiment.settings);
  if (refusal !== null) return refusal;
  const planned = await planRuns(workshop, experiment.settings, parsed.value);
  if (!planned.ok) return planned;
  const runs = planned.value.map((run) => ({ id: workshop.newId(), ...run }));
  const batch = {
    id: workshop.newId(),
    experimentId,
    experimentVersion: experiment.latestVersion,
    datasetId: parsed.value.datasetId ?? null,
    idempotencyKey: options.idempotencyKey,
    requestHash,
    runs: runs.map(({ id, case: task }) => ({ id, case: task })),
    now: workshop.now(),
  };
  const runIds = runs.map((run) => run.id);
  if (options.watched) for (const runId of runIds.slice(0, 1)) expectWatcher(runId);
  const inserted = await inTransaction(workshop.database, async (client) => {
    if (!(await insertBatch(client, batch))) return false;
    for (const { id, cases } of runs) if (cases.length > 0) await insertRunCases(client, id, cases);
    await workshop.enqueue(runIds, client);
    return true;
  });
  if (inserted) return succeed({ batchId: batch.id, runIds });
  return (
    (await answerRepeated(workshop, options.idempotencyKey, requestHash)) ??
    fail('conflict', 'The batch could not be made. Send the request again.')
  );
}

async function answerRepeated(
  workshop: Workshop,
  key: string | null,
  requestHash: string,
): Promise<Result<Started> | null> {
  if (key === null) return null;
  if (key.length < 1 || key.length > 200)
    return fail('invalid', 'Idempotency-Key must be 1 to 200 characters long.', 'Idempotency-Key');
  const before = await findBatchByKey(workshop.database, key);
  if (before === null) return null;
  if (before.requestHash !== requestHash)
    return fail(
      'conflict',
      `The Idempotency-Key was used before for another request (batch ${before.batchId}). Take a new key.`,
      'Idempotency-Key',
    );
  return succeed({ batchId: before.batchId, runIds: before.runIds });
}

/** The runs that a start makes; only a tuning run has cases of its own. */
async function planRuns(
  workshop: Workshop,
  settings: ExperimentSettings,
  start: z.infer<typeof startInputSchema>,
): Promise<Result<{ case: Case; cases: TuningCase[] }[]>> {
  const isTuned = settings.mode === 'tune';
  if (isTuned && start.input !== undefined)
    return fail('invalid', 'A prompt is tuned on several cases: name a dataset, or send cases.', 'input');
  const found = await casesOf(workshop, start);
  if (!found.ok) return found;
  const { cases, datasetName } = found.value;
  if (!isTuned) return succeed(cases.map((task) => ({ case: task, cases: [] })));
  const planned = planTuningRun(settings, cases, datasetName);
  return planned.ok ? succeed([planned.value]) : planned;
}

async function casesOf(
  workshop: Workshop,
  start: z.infer<typeof startInputSchema>,
): Promise<Result<{ cases: Case[]; datasetName: string | null }>> {
  if (start.input !== undefined)
    return succeed({
      cases: [{ input: start.input, reference: start.reference, tags: [], metadata: {} }],
      datasetName: null,
    });
  if (start.cases !== undefined) return succeed({ cases: start.cases, datasetName: null });
  const dataset = await findDataset(workshop.database, start.datasetId ?? '', 100_000);
  if (dataset === null) return fail('not_found', `There is no dataset ${start.datasetId}.`, 'datasetId');
  return succeed({ cases: dataset.cases, datasetName: dataset.name });
}
