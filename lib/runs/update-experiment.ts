import { z } from 'zod';
import { findExperiment } from '#lib/db/find-experiment.ts';
import { insertExperimentVersion } from '#lib/db/insert-experiment.ts';
import type { AuditChange } from '#lib/reflection/audit-entry.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { changeMessageSchema } from './change-message.ts';
import { isRecord, mergeSettings } from './merge-settings.ts';
import { parseInput } from './parse-input.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';
import type { Workshop } from './workshop.ts';

/** A change of settings as it is sent: any of them, and what it is about. */
export const experimentChangeSchema = z
  .strictObject(experimentInputSchema.shape)
  .partial()
  .extend({ message: changeMessageSchema.optional() });

/**
 * Stores a new version of an experiment: given settings replace, objects inside are merged, lists are replaced whole. Runs that
 * began under an older version keep it. `message` in the change says what it is about; it is no setting.
 */
export async function updateExperiment(
  workshop: Workshop,
  actor: Actor,
  experimentId: string,
  input: unknown,
): Promise<Result<{ id: string; version: number }>> {
  return updateExperimentNoting(workshop, actor, experimentId, { input, noted: {} });
}

/** The same for a change of which the audit log says more: `noted`. */
export async function updateExperimentNoting(
  workshop: Workshop,
  actor: Actor,
  experimentId: string,
  { input, noted }: { input: unknown; noted: AuditChange },
): Promise<Result<{ id: string; version: number }>> {
  const experiment = await findExperiment(workshop.database, experimentId);
  if (experiment === null) return fail('not_found', `There is no experiment ${experimentId}.`);
  if (!isRecord(input)) return fail('invalid', 'The change must be an object of settings.');
  const { message: sent, ...change } = input;
  const message = parseInput(experimentChangeSchema.pick({ message: true }), { message: sent });
  if (!message.ok) return message;
  const read = await readSettings(workshop, mergeSettings({ name: experiment.name, ...experiment.settings }, change));
  if (!read.ok) return read;
  const next = {
    id: experimentId,
    ...read.value,
    after: experiment.latestVersion,
    actor: actor.name,
    message: message.value.message ?? null,
    now: workshop.now(),
  };
  const version = await workshop.database.prisma.$transaction(async (transaction) => {
    const stored = await insertExperimentVersion(transaction, next);
    if (stored !== null)
      await recordChange(transaction, actor, {
        act: 'changed',
        subject: { kind: 'experiment', id: experimentId, name: next.name },
        change: { fields: Object.keys(change).join(', '), version: stored, message: next.message, ...noted },
      });
    return stored;
  });
  if (version === null)
    return fail(
      'conflict',
      'The experiment was changed by somebody else meanwhile. Load it again and repeat the change.',
    );
  return succeed({ id: experimentId, version });
}
