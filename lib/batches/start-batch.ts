import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { refuseCaseCriteria } from '#lib/core/case-criteria.ts';
import type { TuningCase } from '#lib/core/history.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, failAll, notStored, problemWithin, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { type MissingInput, rejectUnscorableCases } from '#lib/core/unscorable-cases.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { caseInputSchema, casesSchema, readInput } from '#lib/datasets/case-input.ts';
import { rejectInvalidCriteria } from '#lib/datasets/check-cases.ts';
import { findDataset } from '#lib/datasets/queries.ts';
import { readNewExperiment, storeExperiment } from '#lib/experiments/create-experiment.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { splitCases, splitProblem } from '#lib/experiments/split-cases.ts';
import { protectFiles } from '#lib/files/stored-files.ts';
import { formatCount, formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { expectWatcher } from '#lib/live/live.ts';
import { refuseUnknownTools } from '#lib/mcp-servers/mcp-tools.ts';
import { findBatchByKey, insertBatch, insertRunCases, newRunIds } from '#lib/runs/batches.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';
import { refuseImported } from './resume-run.ts';

/** A planned tuning run: its representative case for lists, and its cases with their splits. */
type PlannedTuning = { case: Case; cases: TuningCase[] };

const MAX_RUNS = 100_000;
/** Maximum number of runs per case. */
export const MAX_REPETITIONS = 20;

/** Cases to run: exactly one of an input, a list of cases, or a dataset. `repetitions`: runs per case, 1 by default. */
export const startInputSchema = z
  .strictObject({
    input: caseInputSchema.shape.input.optional(),
    reference: caseInputSchema.shape.reference,
    cases: casesSchema.optional(),
    datasetId: z.uuid({ error: 'must be the id of a dataset' }).optional(),
    repetitions: integerBetween(1, MAX_REPETITIONS).optional().meta({ description: 'Runs of each case. Default: 1.' }),
  })
  .refine((start) => [start.input, start.cases, start.datasetId].filter((value) => value !== undefined).length === 1, {
    error: 'Send exactly one of input, cases and datasetId.',
  })
  .refine((start) => start.reference === null || start.input !== undefined, {
    path: ['reference'],
    error: 'can only be used with input',
  });

type Started = { batchId: string; runIds: string[] };

/**
 * Creates a batch with its jobs in one transaction: a queued run per case and repetition, or one run over all cases for tuning. Repeating a
 * request with the same `idempotencyKey` returns the existing batch. A different request with that key is a conflict. `watched`: the user
 * is about to open it, so text is streamed from the first call.
 */
export async function startBatch(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  input: unknown,
  options: { idempotencyKey: string | null; watched: boolean },
): Promise<Result<Started>> {
  const parsed = parseInput(startInputSchema, input);
  if (!parsed.ok) return parsed;
  const requestHash = createHash('sha256')
    .update(JSON.stringify([experimentId, parsed.value]))
    .digest('hex');
  const repeated = await findRepeatedStart(context, options.idempotencyKey, requestHash);
  if (repeated !== null) return repeated;

  const experiment = await findExperiment(context.database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId);
  const planned = refuseImported(experiment) ?? (await planStart(context, experiment.settings, parsed.value));
  if (!planned.ok) return planned;
  const { cases, repetitions, tuned, dataset } = planned.value;
  const runIds = newRunIds(context, cases.length * repetitions);
  const batch = {
    id: context.newId(),
    experimentId,
    experimentVersion: experiment.latestVersion,
    datasetId: dataset?.id ?? null,
    datasetVersion: dataset?.version ?? null,
    idempotencyKey: options.idempotencyKey,
    requestHash,
    cases,
    repetitions,
    runIds,
    now: context.now(),
  };
  if (options.watched) for (const runId of runIds.slice(0, 1)) expectWatcher(runId);
  const inserted = await inTransaction(context.database, async (transaction) => {
    if (!(await insertBatch(transaction, batch))) return false;
    if (tuned !== null) for (const runId of runIds) await insertRunCases(transaction, runId, tuned);
    await context.enqueue(runIds, transaction);
    await recordChange(transaction, actor, {
      act: 'started',
      subject: { kind: 'batch', id: batch.id, name: experiment.name },
      change: { runs: runIds.length, version: experiment.latestVersion, dataset: dataset?.name ?? null },
    });
    return true;
  });
  if (inserted) return succeed({ batchId: batch.id, runIds });
  return (
    (await findRepeatedStart(context, options.idempotencyKey, requestHash)) ??
    fail('conflict', 'The batch could not be created. Send the request again.')
  );
}

async function findRepeatedStart(
  context: AppContext,
  key: string | null,
  requestHash: string,
): Promise<Result<Started> | null> {
  if (key === null) return null;
  if (key.length < 1 || key.length > 200)
    return fail('invalid', 'Idempotency-Key must be 1 to 200 characters long.', 'Idempotency-Key');
  const before = await findBatchByKey(context.database, key);
  if (before === null) return null;
  if (before.requestHash !== requestHash)
    return fail(
      'conflict',
      `The Idempotency-Key was used before for another request (batch ${before.batchId}). Use a new key.`,
      'Idempotency-Key',
    );
  return succeed({ batchId: before.batchId, runIds: before.runIds });
}

type Planned = {
  cases: Case[];
  /** Cases of a tuning run. Null for other modes. */
  tuned: TuningCase[] | null;
  repetitions: number;
  dataset: FoundDataset | null;
};
type FoundDataset = { id: string; name: string; version: number };
type Start = z.infer<typeof startInputSchema>;

/** Returns the runs that a start would create under the given settings, or an error that names the field. Stores nothing. */
async function planStart(context: AppContext, settings: ExperimentSettings, start: Start): Promise<Result<Planned>> {
  const refusal = (await refuseWithoutPython(context, settings)) ?? (await refuseUnknownTools(context, settings));
  if (refusal !== null) return refusal;
  const planned = await planRuns(context, settings, start);
  if (!planned.ok) return planned;
  const { cases, tuned } = planned.value;
  return (await refuseWithoutPython(context, settings, tuned ?? cases)) ?? planned;
}

/** Returns the runs of a start: each case as often as requested, or one run over all cases for tuning. */
async function planRuns(context: AppContext, settings: ExperimentSettings, start: Start): Promise<Result<Planned>> {
  const isTuned = settings.mode === 'tune';
  const { repetitions = 1 } = start;
  if (isTuned && start.input !== undefined)
    return fail('invalid', 'A prompt is tuned on several cases: name a dataset, or send cases.', 'input');
  if (isTuned && repetitions > 1)
    return fail(
      'invalid',
      'repetitions: a prompt is tuned in one run over all cases. Start another run instead.',
      'repetitions',
    );
  const found = await casesOf(context, start);
  if (!found.ok) return found;
  const { cases, dataset } = found.value;
  const field = (first: number, lacks: MissingInput) => fieldOf(start, first, lacks);
  const missing = await protectFiles(context.database.prisma, dataset === null ? cases : [], context.now(), (index) =>
    start.cases === undefined ? 'input' : `cases.${index}.input`,
  );
  if (missing !== null) return missing;
  const unscorable =
    (start.cases === undefined ? null : await rejectInvalidCriteria(cases, (index) => `cases.${index}.criteria`)) ??
    refuseCaseCriteria(settings, cases, {
      code: 'invalid',
      field: (first, path) => (start.cases === undefined ? 'datasetId' : `cases.${first}.${path}`),
    }) ??
    rejectUnscorableCases(settings, cases, { code: 'invalid', field });
  if (!isTuned) {
    const count = cases.length * repetitions;
    if (count <= MAX_RUNS) return unscorable ?? succeed({ cases, tuned: null, repetitions, dataset });
    const message = `repetitions: ${formatNumberOf(cases.length, 'case')} ${repetitions} times each are ${formatCount(count)} runs. A batch can have at most ${formatCount(MAX_RUNS)}.`;
    return fail('invalid', message, 'repetitions');
  }
  const planned = planTuningRun(settings, cases, dataset?.name ?? null);
  if (!planned.ok) return planned;
  if (unscorable !== null) return unscorable;
  return succeed({ cases: [planned.value.case], tuned: planned.value.cases, repetitions: 1, dataset });
}

/** Returns the request field in which the missing data of a case belongs. */
function fieldOf({ input, cases }: Start, index: number, lacks: MissingInput): string {
  const isMetadata = lacks.startsWith('metadata.');
  if (cases !== undefined) return `cases.${index}.${isMetadata ? lacks : 'reference'}`;
  if (input === undefined) return 'datasetId';
  return isMetadata ? 'input' : 'reference';
}

async function casesOf(
  context: AppContext,
  start: Start,
): Promise<Result<{ cases: Case[]; dataset: FoundDataset | null }>> {
  if (start.input !== undefined)
    return succeed({
      cases: [{ ...readInput(start.input), reference: start.reference, tags: [], metadata: {} }],
      dataset: null,
    });
  if (start.cases !== undefined) return succeed({ cases: start.cases, dataset: null });
  const dataset = await findDataset(context.database, start.datasetId ?? '', 100_000);
  if (dataset === null) return notStored('dataset', start.datasetId ?? '', 'datasetId');
  if (dataset.cases.length === 0)
    return fail('invalid', 'This dataset has no cases. Add some, or choose another dataset.', 'datasetId');
  const { id, name, latestVersion } = dataset;
  return succeed({ cases: dataset.cases, dataset: { id, name, version: latestVersion } });
}

/** Splits the cases of a tuning run. Returns an error if there are too many or none is left for training. */
function planTuningRun(
  { tune }: Pick<ExperimentSettings, 'tune'>,
  cases: readonly Case[],
  datasetName: string | null,
): Result<PlannedTuning> {
  const split = splitCases(cases, tune);
  const problem = splitProblem(split, tune);
  if (problem !== null) return fail('invalid', problem, datasetName === null ? 'cases' : 'datasetId');
  return succeed({ case: taskOf(split.length, datasetName), cases: split });
}

function taskOf(count: number, datasetName: string | null): Case {
  const counted = `${count.toLocaleString('en')} ${count === 1 ? 'case' : 'cases'}`;
  const input = datasetName === null ? counted : `${counted} of ${datasetName}`;
  return { input, reference: null, tags: [], metadata: {} };
}

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
