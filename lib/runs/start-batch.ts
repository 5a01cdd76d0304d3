import { createHash } from 'node:crypto';
import { z } from 'zod';
import { findDataset } from '#lib/db/find-dataset.ts';
import { findExperiment } from '#lib/db/find-experiment.ts';
import { inTransaction } from '#lib/db/in-transaction.ts';
import { findBatchByKey, insertBatch } from '#lib/db/insert-batch.ts';
import type { Case } from '#lib/reflection/case.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { caseInputSchema, casesSchema } from './create-dataset.ts';
import { expectWatcher } from './live.ts';
import { parseInput } from './parse-input.ts';
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
 * Makes a batch: one queued run a case, with the jobs that perform them, in one transaction. The same `idempotencyKey` with the
 * same request answers the batch it made before; with another request it is a conflict. `watched`: somebody is about to look, so
 * text is streamed from the first call on.
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
  const cases = await casesOf(workshop, parsed.value);
  if (!cases.ok) return cases;
  const runs = cases.value.map((task) => ({ id: workshop.newId(), case: task }));
  const batch = {
    id: workshop.newId(),
    experimentId,
    experimentVersion: experiment.latestVersion,
    datasetId: parsed.value.datasetId ?? null,
    idempotencyKey: options.idempotencyKey,
    requestHash,
    runs,
    now: workshop.now(),
  };
  const runIds = runs.map((run) => run.id);
  if (options.watched) for (const runId of runIds.slice(0, 1)) expectWatcher(runId);
  const inserted = await inTransaction(workshop.database, async (client) => {
    if (!(await insertBatch(client, batch))) return false;
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

async function casesOf(workshop: Workshop, start: z.infer<typeof startInputSchema>): Promise<Result<Case[]>> {
  if (start.input !== undefined)
    return succeed([{ input: start.input, reference: start.reference, tags: [], metadata: {} }]);
  if (start.cases !== undefined) return succeed(start.cases);
  const dataset = await findDataset(workshop.database, start.datasetId ?? '', 100_000);
  if (dataset === null) return fail('not_found', `There is no dataset ${start.datasetId}.`, 'datasetId');
  return succeed(dataset.cases);
}
