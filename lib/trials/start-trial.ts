import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { refuseCaseCriteria } from '#lib/core/case-criteria.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { rejectUnscorableCases } from '#lib/core/unscorable-cases.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { callsOfRun } from '#lib/estimates/calls-of-run.ts';
import { withoutLessons } from '#lib/experiments/control-settings.ts';
import { insertExperiment, insertExperimentVersion } from '#lib/experiments/create-experiment.ts';
import { findExperiment, latestBatchCases } from '#lib/experiments/queries.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { findLesson, lessonSources } from '#lib/lessons/queries.ts';
import { insertBatch, newRunIds } from '#lib/runs/batches.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';

/**
 * Input of a trial: the experiment whose settings are used, the cases, and the number of runs per case. Without a dataset, uses the cases
 * of the experiment's newest batch.
 */
export const trialInputSchema = z.strictObject({
  experimentId: z.uuid({ error: 'must be the id of an experiment' }),
  datasetId: z.uuid({ error: 'must be the id of a dataset' }).nullable().default(null),
  repetitions: integerBetween(1, 10).default(1),
});

const MAX_RUNS_PER_SIDE = 500;

/**
 * Returns the plan of a lesson's trial, or an error if it cannot be made. Stores nothing. `leftOut` counts duplicate cases and those the
 * lesson was learned from. `calls` is the number of model calls of all runs on both sides.
 */
export async function planTrial({ database }: DatabaseContext, lessonId: string, input: unknown) {
  const parsed = parseInput(trialInputSchema, input);
  if (!parsed.ok) return parsed;
  const { experimentId, datasetId, repetitions } = parsed.value;
  const lesson = await findLesson(database, lessonId);
  if (lesson === null) return notStored('lesson', lessonId);
  if (lesson.status !== 'quarantined' && lesson.status !== 'promoted')
    return fail(
      'conflict',
      `Only lessons that passed the screening can be tested in a trial. This lesson is ${lesson.status}.`,
    );
  if (lesson.admission === 'held')
    return fail(
      'conflict',
      'The screening holds this lesson, so no prompt uses it. Promote it with a reason, or edit it.',
    );
  const experiment = await findExperiment(database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId, 'experimentId');
  if (experiment.settings.mode === 'tune')
    return fail(
      'conflict',
      'A lesson cannot be tested with an experiment in tune mode, which recalls no lessons. Choose another experiment.',
      'experimentId',
    );
  const found = await casesOf({ database }, experimentId, datasetId);
  if (!found.ok) return found;
  const cases = await otherCases({ database }, lessonId, found.value);
  if (cases.length === 0)
    return fail(
      'conflict',
      found.value.length === 0
        ? 'This experiment has not run yet. Choose a dataset with cases for the test.'
        : 'The lesson was learned from all of these cases. Test it on other cases.',
      datasetId === null ? 'experimentId' : 'datasetId',
    );
  if (cases.length * repetitions > MAX_RUNS_PER_SIDE)
    return fail(
      'invalid',
      `At most ${MAX_RUNS_PER_SIDE} runs a side: ${cases.length} cases, each ${repetitions} times, are ${cases.length * repetitions}.`,
      'repetitions',
    );
  const { settings } = experiment;
  const field = () => (datasetId === null ? 'experimentId' : 'datasetId');
  const refusal =
    refuseCaseCriteria(settings, cases, { code: 'conflict', field }) ??
    rejectUnscorableCases(settings, cases, { code: 'conflict', field });
  if (refusal !== null) return refusal;
  const without = withoutLessons(settings);
  const { lowest, highest } = callsOfRun(without);
  const runs = 2 * cases.length * repetitions;
  return succeed({
    lesson,
    experiment,
    without,
    with: { ...without, lessons: { ...without.lessons, pinned: [lessonId] } },
    cases,
    repetitions,
    leftOut: found.value.length - cases.length,
    calls: { lowest: runs * lowest, highest: runs * highest },
  });
}

async function casesOf(
  { database }: DatabaseContext,
  experimentId: string,
  datasetId: string | null,
): Promise<Result<Case[]>> {
  if (datasetId === null) return succeed(await latestBatchCases(database, experimentId, MAX_CASES));
  const dataset = await findDataset(database, datasetId, MAX_CASES);
  return dataset === null ? notStored('dataset', datasetId, 'datasetId') : succeed(dataset.cases);
}

const MAX_CASES = 10_000;

/** Returns the cases with distinct inputs from which the lesson was not learned. */
async function otherCases({ database }: DatabaseContext, lessonId: string, cases: Case[]): Promise<Case[]> {
  const sources = await lessonSources(database, lessonId);
  const isSource = (input: string) =>
    sources.some((source) => (source.isWhole ? input === source.input : input.startsWith(source.input)));
  const seen = new Set<string>();
  return cases.filter(({ input }) => {
    if (seen.has(input) || isSource(input)) return false;
    seen.add(input);
    return true;
  });
}

/**
 * Starts a trial of a lesson on cases it was not learned from. Creates a separate experiment with the settings of the chosen one, and two
 * batches of ordinary runs over the same cases, with and without the lesson. Neither side recalls other lessons, writes any, or waits for
 * people. Everything is stored in one transaction.
 */
export async function startTrial(context: AppContext, actor: Actor, lessonId: string, input: unknown) {
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
      const runIds = newRunIds(context, repeated.length);
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
