import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { AuditChange } from '#lib/audit/schema.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { spendLedger } from '#lib/budgets/spend-ledger.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { formatMoment } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import {
  changeMessageSchema,
  insertExperimentVersion,
  mergeSettings,
  type StoredExperiment,
  warningsOf,
} from './create-experiment.ts';
import { type ExperimentView, findExperiment } from './queries.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';

/** A version saved by another person. `createdAt` is a timestamp. Unknown values are null. */
type SavedVersion = { number: number; createdBy: string | null; createdAt: string; message: string | null };

/** Returns the error for a save based on an outdated version: author and time of the latest version, and a remedy. */
export function conflictMessage({ number, createdBy, createdAt, message }: SavedVersion): string {
  const who = createdBy ?? 'Someone';
  const note = message === null ? '' : ` ("${message}")`;
  return `${who} saved version ${number} at ${formatMoment(createdAt)}${note} while you were editing. Review what changed, then save yours as the next version.`;
}

/** A settings change in a request: any settings and a message. */
export const experimentChangeSchema = z
  .strictObject(experimentInputSchema.shape)
  .partial()
  .extend({
    message: changeMessageSchema.optional(),
    seenVersion: integerBetween(1, 1_000_000).optional().meta({
      description:
        'The newest version that you have seen. If there is a newer one, the response is 409 and names who saved it.',
    }),
  });

/**
 * Stores a new version of an experiment. Given settings replace the old ones, nested objects are merged, lists are replaced. Runs started
 * with an older version keep it. A change that leaves the settings equal adds no version.
 * `message` describes the change. `seenVersion` is the latest version the author has seen. If there is a newer one, the save fails with a
 * conflict that names it. Without `seenVersion` there is no such check.
 */
export async function updateExperiment(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  input: unknown,
): Promise<Result<StoredExperiment>> {
  return updateExperimentWithAudit(context, actor, experimentId, { input, auditChange: {} });
}

/** Like `updateExperiment`, with additional data for the audit log in `noted`. */
export async function updateExperimentWithAudit(
  context: AppContext,
  actor: Actor,
  experimentId: string,
  { input, auditChange }: { input: unknown; auditChange: AuditChange },
): Promise<Result<StoredExperiment>> {
  const experiment = await findExperiment(context.database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId);
  if (!isRecord(input)) return fail('invalid', 'The change must be an object of settings.');
  const { message: sent, seenVersion: seen, ...change } = input;
  const options = parseInput(experimentChangeSchema.pick({ message: true, seenVersion: true }), {
    message: sent,
    seenVersion: seen,
  });
  if (!options.ok) return options;
  const { message = null, seenVersion } = options.value;
  if (seenVersion !== undefined && seenVersion > experiment.latestVersion)
    return fail('invalid', `seenVersion: there is no version ${seenVersion} of this experiment yet.`, 'seenVersion');
  if (seenVersion !== undefined && seenVersion < experiment.latestVersion) return conflictWith(experiment);
  const merged = mergeSettings({ name: experiment.name, ...experiment.settings }, change);
  const read = await readSettings(context, merged, experiment.settings);
  if (!read.ok) return read;
  const isSame = isDeepStrictEqual(read.value, { name: experiment.name, settings: experiment.settings });
  if (isSame)
    return succeed({ id: experimentId, version: experiment.latestVersion, ...warningsOf(experiment.settings) });
  const next = {
    id: experimentId,
    ...read.value,
    after: experiment.latestVersion,
    actor: actor.name,
    message,
    now: context.now(),
  };
  const version = await context.database.prisma.$transaction(async (transaction) => {
    const stored = await insertExperimentVersion(transaction, next);
    if (stored !== null)
      await recordChange(transaction, actor, {
        act: 'changed',
        subject: { kind: 'experiment', id: experimentId, name: next.name },
        change: { fields: Object.keys(change).join(', '), version: stored, message: next.message, ...auditChange },
      });
    return stored;
  });
  if (version !== null) {
    // Runs in progress use the changed budget from their next call.
    spendLedger(context.database).forgetLimits();
    return succeed({ id: experimentId, version, ...warningsOf(read.value.settings) });
  }
  const changed = await findExperiment(context.database, experimentId);
  return changed === null ? notStored('experiment', experimentId) : conflictWith(changed);
}

function conflictWith({ versions, latestVersion, updatedAt }: ExperimentView): Result<never> {
  const newest = versions.find(({ version }) => version === latestVersion);
  const { actor = null, createdAt = updatedAt, message = null } = newest ?? {};
  return fail('conflict', conflictMessage({ number: latestVersion, createdBy: actor, createdAt, message }));
}
