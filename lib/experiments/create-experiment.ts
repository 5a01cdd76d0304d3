import { z } from 'zod';
import { inheritContributions } from '#lib/audit/queries.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { type SettingsWarning, settingsWarnings } from '#lib/estimates/settings-contradictions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { isScoredElsewhere } from '#lib/runs/run-facts.ts';
import { findExperimentVersion } from './queries.ts';
import { experimentInputSchema, readSettings } from './read-settings.ts';
import type { ControlKind, ExperimentOrigin } from './schema.ts';
import { storedSettings } from './version-settings.ts';

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
export function storeExperiment(context: AppContext, actor: Actor, ready: ReadyExperiment): Promise<StoredExperiment> {
  return context.database.prisma.$transaction((transaction) => addExperiment(transaction, context, actor, ready));
}

/** Stores a validated experiment in a transaction. */
export async function addExperiment(
  transaction: Prisma.TransactionClient,
  context: Pick<AppContext, 'newId' | 'now'>,
  actor: Actor,
  ready: ReadyExperiment,
): Promise<StoredExperiment> {
  const id = context.newId();
  const experiment = { id, ...ready, actor: actor.name, now: context.now() };
  await insertExperiment(transaction, experiment);
  if (experiment.parent !== null) await inheritContributions(transaction, { from: experiment.parent.id, to: id });
  await recordChange(transaction, actor, {
    act: 'created',
    subject: { kind: 'experiment', id, name: experiment.name },
    change: { duplicateOf: experiment.parent?.id ?? null },
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

/** An experiment to be stored as version 1. `parent` is the experiment that it duplicates or controls. */
type NewExperiment = {
  id: string;
  name: string;
  settings: ExperimentSettings;
  sample?: boolean;
  origin?: ExperimentOrigin;
  parent?: { id: string; version: number } | null;
  control?: ControlKind | null;
  /** Creator of the version and their message. */
  actor?: string | null;
  message?: string | null;
  now: Date;
};

/** Stores a new experiment with its first version. */
export async function insertExperiment(
  transaction: Prisma.TransactionClient,
  experiment: NewExperiment,
): Promise<void> {
  const { id, name, settings, sample = false, origin = 'made', parent = null, control = null, now } = experiment;
  const { actor = null, message = null } = experiment;
  await transaction.experiment.create({
    data: {
      id,
      name,
      sample,
      origin,
      control,
      parentId: parent?.id ?? null,
      parentVersion: parent?.version ?? null,
      createdAt: now,
      updatedAt: now,
      versions: { create: { version: 1, settings: storedSettings(settings), actor, message, createdAt: now } },
    },
  });
}

/**
 * Adds the next version. Must run in a transaction. Returns null if the experiment is deleted or `after` is no longer its latest version.
 */
export async function insertExperimentVersion(
  transaction: Prisma.TransactionClient,
  change: {
    id: string;
    name: string;
    settings: ExperimentSettings;
    after: number;
    actor: string | null;
    message: string | null;
    now: Date;
  },
): Promise<number | null> {
  const { id, name, settings, after, actor, message, now } = change;
  const { count } = await transaction.experiment.updateMany({
    where: { id, latestVersion: after },
    data: { name, latestVersion: after + 1, updatedAt: now },
  });
  if (count === 0) return null;
  await transaction.experimentVersion.create({
    data: { experimentId: id, version: after + 1, settings: storedSettings(settings), actor, message, createdAt: now },
  });
  return after + 1;
}

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
  const changed = Object.entries(change).map(([key, value]) => {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    const isMerged =
      !FREE_NAMES.includes(key) && isRecord(before) && isRecord(value) && !isOfAnotherType(before, value);
    return [key, isMerged ? mergeSettings(before, value) : value];
  });
  // Unlike an assignment, this keeps the key "__proto__", so that validation rejects it.
  return Object.fromEntries([...Object.entries(base), ...changed]);
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
    .max(1_000_000, { error: 'must be the number of a version' })
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
type ReadyExperiment = {
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
