import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { appendResult } from '#lib/core/append-result.ts';
import { refuseCaseCriteria } from '#lib/core/case-criteria.ts';
import { branchedVersion } from '#lib/core/edited-version.ts';
import { EMPTY_HISTORY } from '#lib/core/history.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { StepResult } from '#lib/core/step.ts';
import { rejectUnscorableCases } from '#lib/core/unscorable-cases.ts';
import { asQueryable } from '#lib/database/connections.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { expectWatcher } from '#lib/live/live.ts';
import { insertBatch, insertRunCases } from '#lib/runs/batches.ts';
import { versionNumber } from '#lib/runs/decision-input.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { eventsOf } from '#lib/runs/run-events.ts';
import { MAX_OUTPUT_LENGTH } from '#lib/runs/run-facts.ts';
import { saveResults } from '#lib/runs/save-results.ts';
import { promptRefusal, refuseHeldBack } from '#lib/runs/tuning-refusal.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';
import { refuseImported } from './resume-run.ts';

/** The version to branch from, and a replacement for its text if it was edited. */
export const branchInputSchema = z.strictObject({
  version: versionNumber,
  output: z
    .string({ error: 'must be the text to start from' })
    .max(MAX_OUTPUT_LENGTH, { error: `must be at most ${MAX_OUTPUT_LENGTH.toLocaleString('en')} characters` })
    .optional(),
});
type BranchInput = z.infer<typeof branchInputSchema>;

/**
 * Starts a run of the same case from the text of a version, with the current settings of the experiment. A tuning run uses the same cases
 * and split. The text becomes the first version at no cost. Everything after that is paid as usual. The original run is unchanged.
 * `watched`: the user is about to open the run.
 */
export async function branchRun(
  context: AppContext,
  actor: Actor,
  runId: string,
  input: unknown,
  { watched }: { watched: boolean },
): Promise<Result<{ batchId: string; runId: string }>> {
  const parsed = parseInput(branchInputSchema, input);
  if (!parsed.ok) return parsed;
  const source = await loadRun(context.database, runId);
  if (source === null) return notStored('run', runId);
  const output = textOf(parsed.value, source);
  if (!output.ok) return output;
  const experiment = await findExperiment(context.database, source.run.experimentId);
  if (experiment === null) return notStored('experiment', source.run.experimentId);
  const { settings, latestVersion } = experiment;
  if (settings.mode === 'retry')
    return fail(
      'conflict',
      'Each attempt of this experiment starts from scratch. A branch needs an experiment in revise mode.',
    );
  const { messages, reference, tags, metadata, criteria } = source.run;
  const task = { input: source.run.input, messages, reference, tags, metadata, criteria };
  const cases = settings.mode === 'tune' ? source.history.cases : [task];
  const refusal =
    tuningBranchRefusal(output.value, parsed.value, source, settings) ??
    refuseImported(experiment) ??
    refuseCaseCriteria(settings, cases, { code: 'conflict', field: () => null }) ??
    rejectUnscorableCases(settings, cases, {
      code: 'conflict',
      field: () => null,
    }) ??
    (await refuseWithoutPython(context, settings, cases));
  if (refusal !== null) return refusal;

  const now = context.now();
  const [batchId, branchId] = [context.newId(), context.newId()];
  const made: StepResult = {
    type: 'version',
    version: branchedVersion({ output: output.value, at: now.toISOString() }),
  };
  const history = appendResult({ ...EMPTY_HISTORY, inputLength: task.input.length }, made);
  if (watched) expectWatcher(branchId);
  await inTransaction(context.database, async (transaction) => {
    await insertBatch(transaction, {
      id: batchId,
      experimentId: experiment.id,
      experimentVersion: latestVersion,
      datasetId: null,
      idempotencyKey: null,
      requestHash: createHash('sha256')
        .update(JSON.stringify([runId, parsed.value]))
        .digest('hex'),
      cases: [task],
      runIds: [branchId],
      now,
    });
    if (source.history.cases.length > 0) await insertRunCases(transaction, branchId, source.history.cases);
    const saved = await saveResults(asQueryable(transaction), [
      {
        runId: branchId,
        claim: 0,
        eventNumber: 0,
        results: [made],
        events: eventsOf(made, history, settings),
        calls: [],
        deliveries: [],
        history,
        settings,
        input: task.input,
        reference: task.reference,
        status: 'queued',
        ending: null,
        now,
      },
    ]);
    if (!saved.has(branchId)) throw new Error('the first version of a new run could not be saved');
    await transaction.run.update({
      where: { id: branchId },
      data: { branchedFromRunId: runId, branchedVersion: parsed.value.version },
    });
    await context.enqueue([branchId], transaction);
    await recordChange(transaction, actor, {
      act: 'started',
      subject: { kind: 'run', id: branchId, name: experiment.name },
      change: { branchOf: runId, version: parsed.value.version },
    });
  });
  return succeed({ batchId, runId: branchId });
}

/** Returns why a branch is not possible if the original or the new run tunes a prompt. Null if it is possible. */
function tuningBranchRefusal(
  text: string,
  { version: number }: BranchInput,
  source: StoredRun,
  settings: ExperimentSettings,
): Result<never> | null {
  const isTuned = settings.mode === 'tune';
  if (isTuned !== (source.settings.mode === 'tune'))
    return fail(
      'conflict',
      isTuned
        ? 'This experiment now tunes a prompt, but the run did not, so there is no prompt to start from.'
        : 'This run tuned a prompt, but its experiment no longer does. Set the mode of the experiment back to tune first.',
    );
  if (!isTuned) return null;
  const version = source.history.versions.find((one) => one.number === number);
  const isUnchanged = version?.output === text;
  if (version !== undefined && isUnchanged) return refuseHeldBack(version);
  return promptRefusal(text, { history: { ...source.history, versions: [] }, settings }, version?.output);
}

function textOf({ version: number, output }: BranchInput, { history }: StoredRun): Result<string> {
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) return fail('not_found', `The run has no version ${number}.`, 'version');
  if (output === undefined && version.outputDropped)
    return fail('conflict', 'The text of this version was not kept when the run ended.', 'version');
  const text = output ?? version.output;
  if (text.trim() !== '') return succeed(text);
  return output === undefined
    ? fail('conflict', 'This version has no text to start from.', 'version')
    : fail('invalid', 'output must be the text to start from.', 'output');
}
