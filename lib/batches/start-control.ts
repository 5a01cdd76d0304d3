import { createHash } from 'node:crypto';
import { inheritContributions } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { planControl } from '#lib/batches/plan-control.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { insertExperiment } from '#lib/experiments/insert-experiment.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { insertBatch } from '#lib/runs/batches.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';

/** A started control. `arms`: the arms to compare, the original experiment first and the control second. */
export type StartedControl = {
  experimentId: string;
  batchId: string;
  name: string;
  runs: number;
  arms: [string, string];
};

/**
 * Starts a control over the cases of a batch, with the same number of repetitions. The control is a separate experiment with the settings
 * of the batch, except for what it removes. Everything is stored in one transaction.
 */
export async function startControl(
  context: AppContext,
  actor: Actor,
  batchId: string,
  input: unknown,
  options: { atOnce: number },
): Promise<Result<StartedControl>> {
  const planned = await planControl(context, batchId, input, options);
  if (!planned.ok) return planned;
  const { batch, control, name, message, settings, cases } = planned.value;
  // The batch may depend on something deleted since, such as a provider.
  const read = await readSettings(context, { name, ...settings }, 'stored');
  if (!read.ok) return read;
  const refusal = await refuseWithoutPython(context, settings, cases);
  if (refusal !== null) return refusal;

  const now = context.now();
  const experimentId = context.newId();
  const newBatchId = context.newId();
  const { repetitions, datasetId, datasetVersion } = batch;
  const runIds = Array.from({ length: cases.length * repetitions }, () => context.newId());
  const parent = { id: batch.experimentId, version: batch.experimentVersion };
  await inTransaction(context.database, async (transaction) => {
    const made = { id: experimentId, name, settings, parent, actor: actor.name, message, now };
    await insertExperiment(transaction, { ...made, origin: 'control', control });
    await inheritContributions(transaction, { from: parent.id, to: experimentId });
    await insertBatch(transaction, {
      id: newBatchId,
      experimentId,
      experimentVersion: 1,
      datasetId,
      datasetVersion,
      idempotencyKey: null,
      requestHash: createHash('sha256').update(`control ${control} ${batchId}`).digest('hex'),
      cases,
      repetitions,
      runIds,
      now,
    });
    await context.enqueue(runIds, transaction);
    await recordChange(transaction, actor, {
      act: 'started',
      subject: { kind: 'batch', id: newBatchId, name },
      change: { runs: runIds.length, control },
    });
  });
  const arms: StartedControl['arms'] = [`${parent.id}@${parent.version}`, experimentId];
  return succeed({ experimentId, batchId: newBatchId, name, runs: runIds.length, arms });
}
