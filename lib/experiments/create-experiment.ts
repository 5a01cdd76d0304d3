import { inheritContributions } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { type SettingsWarning, settingsWarnings } from '#lib/estimates/settings-contradictions.ts';
import { insertExperiment } from './insert-experiment.ts';
import { type ReadyExperiment, readNewExperiment } from './read-new-experiment.ts';

/**
 * Stores a new experiment as version 1. `input` is `{name, …settings}`. A duplicate also has `parentId` and `parentVersion`, and takes
 * omitted settings from there. Rejects invalid input with the invalid field.
 */
export async function createExperiment(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<StoredExperiment>> {
  const ready = await readNewExperiment(context, input);
  return ready.ok ? succeed(await storeExperiment(context, actor, ready.value)) : ready;
}

/** Stores a validated experiment. */
export async function storeExperiment(
  context: AppContext,
  actor: Actor,
  ready: ReadyExperiment,
): Promise<StoredExperiment> {
  const id = context.newId();
  const experiment = { id, ...ready, actor: actor.name, now: context.now() };
  await context.database.prisma.$transaction(async (transaction) => {
    await insertExperiment(transaction, experiment);
    if (experiment.parent !== null) await inheritContributions(transaction, { from: experiment.parent.id, to: id });
    await recordChange(transaction, actor, {
      act: 'created',
      subject: { kind: 'experiment', id, name: experiment.name },
      change: { duplicateOf: experiment.parent?.id ?? null },
    });
  });
  return { id, version: 1, ...warningsOf(ready.settings) };
}

/** A stored version of an experiment. `warnings` lists settings that make each other ineffective. */
export type StoredExperiment = { id: string; version: number; warnings?: SettingsWarning[] };

/** Returns warnings about stored settings. Empty if there are none. */
export function warningsOf(settings: ExperimentSettings): Pick<StoredExperiment, 'warnings'> {
  const warnings = settingsWarnings(settings);
  return warnings.length === 0 ? {} : { warnings };
}
