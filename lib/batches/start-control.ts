import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inheritContributions } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { estimateSettings } from '#lib/batches/estimate-start.ts';
import { refuseImported } from '#lib/batches/resume-run.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { refuseCaseCriteria } from '#lib/core/case-criteria.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { numberBetween, oneOf } from '#lib/core/setting-parts.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { rejectUnscorableCases } from '#lib/core/unscorable-cases.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import type { RunEstimate } from '#lib/estimates/estimate-run.ts';
import {
  type ControlChoices,
  controlSettings,
  draftsAlike,
  RESAMPLING_TEMPERATURE,
  usesLessons,
} from '#lib/experiments/control-settings.ts';
import { insertExperiment } from '#lib/experiments/create-experiment.ts';
import {
  type ControlledBatch,
  casesOfBatch,
  findControlledBatch,
  findExperimentVersion,
} from '#lib/experiments/queries.ts';
import { readSettings } from '#lib/experiments/read-settings.ts';
import { CONTROL_KINDS, type ControlKind } from '#lib/experiments/schema.ts';
import { formatCount, formatMoney, formatTitle } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { insertBatch, newRunIds } from '#lib/runs/batches.ts';
import { refuseWithoutPython } from '#lib/settings/python.ts';

/** Kind of control to run for a batch. The temperature applies only to fresh drafts. */
export const controlInputSchema = z.strictObject({
  control: oneOf(CONTROL_KINDS),
  temperature: numberBetween(0.1, 2)
    .optional()
    .meta({
      description: `Temperature of the equal_cost control. Default: that of the experiment, or ${RESAMPLING_TEMPERATURE} if it is 0 or not set.`,
    }),
});

/** A planned control. `budget`: limit of each of its runs, null to keep the existing one. */
export type ControlPlan = {
  batch: ControlledBatch;
  control: ControlKind;
  name: string;
  message: string;
  settings: ExperimentSettings;
  cases: Case[];
  budget: { maxTokens: number | null; maxCostUsd: number | null } | null;
  /** Temperature of fresh drafts. `raised`: the experiment's own temperature would make them all equal. */
  temperature: { value: number | null; raised: boolean };
  estimate: RunEstimate;
};

const NAMES: Record<ControlKind, string> = { equal_cost: 'Equal cost', no_lessons: 'No lessons' };

/** Plans a control for a batch, or returns an error if it is not possible. Stores nothing. */
export async function planControl(
  context: AppContext,
  batchId: string,
  input: unknown,
  options: { atOnce: number },
): Promise<Result<ControlPlan>> {
  const parsed = parseInput(controlInputSchema, input);
  if (!parsed.ok) return parsed;
  const { control, temperature } = parsed.value;
  const batch = await findControlledBatch(context.database, batchId);
  if (batch === null) return notStored('batch', batchId);
  const { experimentId, experimentVersion } = batch;
  const stored = await findExperimentVersion(context.database, experimentId, experimentVersion);
  if (stored === null) return fail('not_found', `There is no version ${experimentVersion} of that experiment.`);
  const refusal =
    refuseImported(batch) ??
    refuseBatch(batch) ??
    refuseSettings(stored.settings, parsed.value) ??
    refuseSpend(batch, control);
  if (refusal !== null) return refusal;

  const budget = control === 'equal_cost' ? budgetOf(batch) : null;
  const isAlike = draftsAlike(stored.settings);
  const choices: ControlChoices = {
    control,
    budget: budget ?? { maxTokens: null, maxCostUsd: null },
    temperature: temperature ?? (isAlike ? RESAMPLING_TEMPERATURE : null),
  };
  const settings = controlSettings(stored.settings, choices);
  const cases = await casesOfBatch(context.database, batchId);
  const unscorable =
    refuseCaseCriteria(settings, cases, { code: 'conflict', field: () => null }) ??
    rejectUnscorableCases(settings, cases, { code: 'conflict', field: () => null });
  if (unscorable !== null) return unscorable;
  const [sample] = cases;
  const meanLength = cases.reduce((sum, one) => sum + one.input.length, 0) / Math.max(1, cases.length);
  const { repetitions } = batch;
  const count = { count: cases.length, meanLength, sample, repetitions, splits: null };
  const estimate = await estimateSettings(context, { settings, experimentId }, count, options);
  return succeed({
    batch,
    control,
    name: `${NAMES[control]}: ${formatTitle(batch.name, 100)}`,
    message: messageOf(batch, control, budget),
    settings,
    cases,
    budget,
    temperature: { value: settings.generator.temperature, raised: control === 'equal_cost' && isAlike },
    estimate,
  });
}

function refuseBatch({ isBranch, origin, runs }: ControlledBatch): Result<never> | null {
  if (origin === 'control')
    return fail(
      'conflict',
      'This experiment is a control. Start another control from the experiment that it belongs to.',
    );
  if (origin === 'trial')
    return fail('conflict', 'A trial of a lesson already has a control: the runs without the lesson.');
  if (isBranch)
    return fail(
      'conflict',
      'A branch starts from the text of another run. A control needs a batch of runs without a starting text.',
    );
  if (runs === 0)
    return fail('conflict', 'All runs of this batch were deleted: there are no cases to run a control on.');
  return null;
}

function refuseSettings(
  settings: ExperimentSettings,
  { control, temperature }: z.infer<typeof controlInputSchema>,
): Result<never> | null {
  if (settings.mode === 'tune')
    return fail('conflict', 'A tuning run already includes a control: the initial prompt on the held-out cases.');
  if (control === 'equal_cost' && settings.generator.target !== null)
    return fail(
      'conflict',
      'The equal_cost control is not available for a target: Hone does not know what a call of your app costs.',
    );
  if (control === 'equal_cost') return null;
  if (temperature !== undefined)
    return fail('invalid', 'temperature can only be set for the equal_cost control.', 'temperature');
  if (usesLessons(settings)) return null;
  return fail(
    'conflict',
    'This experiment neither recalls nor writes lessons, so a control without lessons would be the same.',
  );
}

/** The spend of a run is known only when all have ended, and unusable if nothing was spent. */
function refuseSpend({ underWay, mostTokens }: ControlledBatch, control: ControlKind): Result<never> | null {
  if (control !== 'equal_cost') return null;
  if (underWay > 0)
    return fail(
      'conflict',
      `${underWay === 1 ? 'One run of this batch is' : `${formatCount(underWay)} runs of this batch are`} still in progress. The budget of the control is known when all runs have ended. Wait for them, or stop them.`,
    );
  if (mostTokens > 0) return null;
  return fail('conflict', 'No run of this batch spent anything, so there is no cost to match.');
}

/** Minimum cost budget that can be set. */
const MIN_BUDGET_USD = 0.000001;

/** Returns the spend of the batch's most expensive run: cost if every call had a price, otherwise tokens. */
function budgetOf({ mostTokens, mostCostUsd, unpriced }: ControlledBatch): NonNullable<ControlPlan['budget']> {
  return unpriced || mostCostUsd < MIN_BUDGET_USD
    ? { maxTokens: mostTokens, maxCostUsd: null }
    : { maxTokens: null, maxCostUsd: mostCostUsd };
}

function messageOf(batch: ControlledBatch, control: ControlKind, budget: ControlPlan['budget']): string {
  const of = `of ${formatTitle(batch.name, 100)} v${batch.experimentVersion}`;
  if (control === 'no_lessons') return `Control ${of}: no lessons recalled or written.`;
  const spend =
    budget?.maxCostUsd == null ? `${formatCount(budget?.maxTokens ?? 0)} tokens` : formatMoney(budget.maxCostUsd);
  return `Control ${of}: new drafts instead of reflection, up to ${spend} per run.`;
}

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
  const runIds = newRunIds(context, cases.length * repetitions);
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
