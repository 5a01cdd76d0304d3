import { z } from 'zod';
import { findExperimentVersion } from '#lib/db/find-experiment.ts';
import { insertExperiment } from '#lib/db/insert-experiment.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { changeMessageSchema } from './change-message.ts';
import { parseInput } from './parse-input.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';
import type { Workshop } from './workshop.ts';

/** What a new experiment says of itself beside its settings. */
const originShape = {
  message: changeMessageSchema.optional(),
  parentId: z
    .guid({ error: 'must be the id of an experiment' })
    .toLowerCase()
    .optional()
    .meta({ description: 'The experiment that this one is a duplicate of.' }),
  parentVersion: z
    .int({ error: 'must be the number of a version' })
    .min(1, { error: 'must be the number of a version, from 1' })
    .optional()
    .meta({ description: 'The version of its settings that was duplicated.' }),
};
const originSchema = z
  .object(originShape)
  .refine(({ parentId, parentVersion }) => (parentId === undefined) === (parentVersion === undefined), {
    path: ['parentVersion'],
    error: 'goes with parentId: name both or none',
  });

/** A new experiment as it is sent: its settings, what it was duplicated from, and what its maker says of it. */
export const newExperimentSchema = experimentInputSchema.extend(originShape);

/**
 * Stores a new experiment, version 1. `input` is `{name, …settings}`, of a duplicate with `parentId` and `parentVersion`; refused
 * with the field at fault.
 */
export async function createExperiment(
  workshop: Workshop,
  actor: Actor,
  input: unknown,
): Promise<Result<{ id: string; version: number }>> {
  const { own, settings } = parted(input);
  const origin = parseInput(originSchema, own);
  if (!origin.ok) return origin;
  const read = await readSettings(workshop, settings);
  if (!read.ok) return read;
  const { message = null, parentId, parentVersion } = origin.value;
  const parent =
    parentId === undefined || parentVersion === undefined ? null : { id: parentId, version: parentVersion };
  if (parent !== null && (await findExperimentVersion(workshop.database, parent.id, parent.version)) === null)
    return fail(
      'not_found',
      `parentId: there is no experiment ${parent.id} with a version ${parent.version}.`,
      'parentId',
    );
  const id = workshop.newId();
  const now = workshop.now();
  await insertExperiment(workshop.database, { id, ...read.value, parent, actor: actor.name, message, now });
  return succeed({ id, version: 1 });
}

/** Parts what says where an experiment comes from from its settings. */
function parted(input: unknown): { own: Record<string, unknown>; settings: unknown } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { own: {}, settings: input };
  const entries = Object.entries(input);
  const isOwn = ([key]: [string, unknown]) => Object.hasOwn(originShape, key);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    settings: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}
