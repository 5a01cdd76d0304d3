import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import { findExperimentVersion } from './queries.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';

/** Description of a settings change: 1 to 500 characters. Empty or null for none. */
export const changeMessageSchema = z
  .string({ error: 'must be a text of at most 500 characters, or null' })
  .trim()
  .max(500, { error: 'must be at most 500 characters' })
  .transform((message) => (message === '' ? null : message))
  .nullable()
  .meta({ description: 'Message of the version: what changed and why. At most 500 characters.' });

/**
 * Merges a change into settings. Nested objects are merged. Lists and other values are replaced. An object with a different `type` is also
 * replaced, because keys of the old type would be invalid. So are objects with arbitrary keys, because a key could not be removed
 * otherwise.
 */
export function mergeSettings(base: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    const isMerged =
      !FREE_NAMES.includes(key) && isRecord(before) && isRecord(value) && !isOfAnotherType(before, value);
    result[key] = isMerged ? mergeSettings(before, value) : value;
  }
  return result;
}

const FREE_NAMES = ['providerOptions', 'headers'];

function isOfAnotherType(before: Record<string, unknown>, value: Record<string, unknown>): boolean {
  return value.type !== undefined && value.type !== before.type;
}

/** Fields of a new experiment in addition to its settings. */
const originShape = {
  message: changeMessageSchema.optional(),
  parentId: z.guid({ error: 'must be the id of an experiment' }).toLowerCase().optional().meta({
    description: 'The experiment to duplicate. Settings that are left out are copied from it.',
  }),
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
    error: 'must be set together with parentId',
  });

/** A new experiment in a request: its settings, the experiment it duplicates, and a message. */
export const newExperimentSchema = experimentInputSchema.extend(originShape);

/** A validated new experiment, ready to be stored. */
export type ReadyExperiment = {
  name: string;
  settings: ExperimentSettings;
  parent: { id: string; version: number } | null;
  message: string | null;
};

/** Validates the input of `createExperiment`. */
export async function readNewExperiment(context: AppContext, input: unknown): Promise<Result<ReadyExperiment>> {
  const { own, settings } = isRecord(input) ? splitOrigin(input) : { own: {}, settings: input };
  const origin = parseInput(originSchema, own);
  if (!origin.ok) return origin;
  const { message = null, parentId, parentVersion } = origin.value;
  const parent =
    parentId === undefined || parentVersion === undefined
      ? null
      : await findExperimentVersion(context.database, parentId, parentVersion);
  if (parentId !== undefined && parent === null)
    return fail(
      'not_found',
      `parentId: there is no experiment ${parentId} with a version ${parentVersion}.`,
      'parentId',
    );
  const read = await readSettings(
    context,
    parent !== null && isRecord(settings) ? mergeSettings(parent.settings, settings) : settings,
    parent?.settings ?? null,
  );
  if (!read.ok) return read;
  const elsewhere = read.value.settings.criteria.findIndex(isScoredElsewhere);
  if (elsewhere !== -1)
    return fail(
      'invalid',
      `criteria.${elsewhere} only marks scores of imported runs. Choose an evaluator that can score new runs.`,
      `criteria.${elsewhere}.evaluator`,
    );
  return succeed({
    ...read.value,
    parent: parentId === undefined || parent === null ? null : { id: parentId, version: parent.version },
    message,
  });
}

/** Separates the origin fields of an experiment from its settings. */
function splitOrigin(input: Record<string, unknown>): Record<'own' | 'settings', Record<string, unknown>> {
  const entries = Object.entries(input);
  const isOwn = ([key]: [string, unknown]) => Object.hasOwn(originShape, key);
  return {
    own: Object.fromEntries(entries.filter(isOwn)),
    settings: Object.fromEntries(entries.filter((entry) => !isOwn(entry))),
  };
}
