import { findExperiment } from '#lib/db/find-experiment.ts';
import { insertExperimentVersion } from '#lib/db/insert-experiment.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { readSettings } from './read-settings.ts';
import type { Workshop } from './workshop.ts';

/**
 * Stores a new version of an experiment: given settings replace, objects inside are merged, lists are replaced whole. Runs that
 * began under an older version keep it.
 */
export async function updateExperiment(
  workshop: Workshop,
  _actor: Actor,
  experimentId: string,
  input: unknown,
): Promise<Result<{ id: string; version: number }>> {
  const experiment = await findExperiment(workshop.database, experimentId);
  if (experiment === null) return fail('not_found', `There is no experiment ${experimentId}.`);
  if (!isRecord(input)) return fail('invalid', 'The change must be an object of settings.');
  const read = await readSettings(workshop, merged({ name: experiment.name, ...experiment.settings }, input));
  if (!read.ok) return read;
  const version = await insertExperimentVersion(workshop.database, {
    id: experimentId,
    ...read.value,
    after: experiment.latestVersion,
    now: workshop.now(),
  });
  if (version === null)
    return fail(
      'conflict',
      'The experiment was changed by somebody else meanwhile. Load it again and repeat the change.',
    );
  return succeed({ id: experimentId, version });
}

function merged(base: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    result[key] = isRecord(before) && isRecord(value) ? merged(before, value) : value;
  }
  return result;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
