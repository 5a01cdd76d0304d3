import { createHash } from 'node:crypto';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import type { CallRange } from '#lib/estimates/calls-of-run.ts';
import { insertExperiment, insertExperimentVersion } from '#lib/experiments/insert-experiment.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { formatTitle } from '#lib/format.ts';
import { insertBatch } from '#lib/runs/batches.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';
import { planTrial } from './plan-trial.ts';

/** A started trial. `calls` is the estimated range of model calls. */
type StartedTrial = {
  id: string;
  experimentId: string;
  batchWithoutId: string;
  batchWithId: string;
  cases: number;
  leftOut: number;
  runs: number;
  calls: CallRange;
};

/**
 * Starts a trial of a lesson on cases it was not learned from. Creates a separate experiment with the settings of the chosen one, and two
 * batches of ordinary runs over the same cases, with and without the lesson. Neither side recalls other lessons, writes any, or waits for
 * people. Everything is stored in one transaction.
 */
export async function startTrial(
  context: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<StartedTrial>> {
  const planned = await planTrial(context, lessonId, input);
  if (!planned.ok) return planned;
  const { lesson, cases, repetitions, leftOut, calls } = planned.value;
  const name = `Trial of a lesson: ${formatTitle(titleOf(lesson.text), 60)}`;
  // The experiment may reference something that was deleted since, such as its provider.
  const read = await readSettings(context, { name, ...planned.value.with }, 'stored');
  if (!read.ok) return read;
  const refusal = await refuseWithoutPython(context, planned.value.with, planned.value.cases);
  if (refusal !== null) return refusal;

  const now = context.now();
  const id = context.newId();
  const experimentId = context.newId();
  const batchWithoutId = context.newId();
  const batchWithId = context.newId();
  const repeated = Array.from({ length: repetitions }, () => cases).flat();
  await inTransaction(context.database, async (transaction) => {
    // Version 1 of the settings is without the lesson, version 2 with it.
    const [first, second] = [planned.value.without, planned.value.with];
    await insertExperiment(transaction, { id: experimentId, name, settings: first, origin: 'trial', now });
    const made = { id: experimentId, name, settings: second, after: 1, actor: null, message: null, now };
    await insertExperimentVersion(transaction, made);
    for (const [version, batchId] of [
      [1, batchWithoutId],
      [2, batchWithId],
    ] as const) {
      const runIds = repeated.map(() => context.newId());
      const requestHash = createHash('sha256').update(`trial ${id} ${version}`).digest('hex');
      const batch = { id: batchId, experimentId, experimentVersion: version, datasetId: null, idempotencyKey: null };
      await insertBatch(transaction, { ...batch, requestHash, cases: repeated, runIds, now });
      await context.enqueue(runIds, transaction);
    }
    await recordChange(transaction, actor, {
      act: 'started',
      subject: { kind: 'lesson', id: lessonId, name: titleOf(lesson.text) },
      change: { what: 'trial', runs: 2 * repeated.length },
    });
    await transaction.lessonTrial.create({
      data: { id, lessonId, experimentId, batchWithoutId, batchWithId, requestedBy: actor.name, createdAt: now },
    });
  });
  const counts = { cases: cases.length, leftOut, runs: 2 * repeated.length };
  return succeed({ id, experimentId, batchWithoutId, batchWithId, ...counts, calls });
}

/** Returns the text without the label of its first field. */
function titleOf(text: string): string {
  return text.replace(/^[A-Z][A-Za-z ]{1,30}: /, '');
}
