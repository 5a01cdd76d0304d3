import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { SPLITS } from '#lib/core/history.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { inTransaction, type Transaction, tryInTransaction } from '#lib/database/transactions.ts';
import { protectFiles } from '#lib/files/stored-files.ts';
import { formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { caseInputSchema, newCaseSchema, readInput } from './case-input.ts';
import { rejectInvalidCriteria } from './check-cases.ts';
import { closeDatasetVersion } from './dataset-versions.ts';
import { caseFingerprint, MAX_DATASET_CASES } from './gather-import.ts';
import { divisionSchema, messageSchema } from './import-options.ts';
import { casesAt, insertCases, lockDataset, tagCases } from './queries.ts';
import type { ChangedDataset, DividedDataset } from './schema.ts';
import { assignSplits } from './split-cases.ts';
import { SPLIT_TAGS, taggedSplit } from './split-tags.ts';

const noCaseNumber = { error: 'must be the number of a case' };
const caseNumber = z.int(noCaseNumber).min(1, noCaseNumber).max(2_000_000_000, noCaseNumber);
const tooManyError = { error: 'must be at most 1,000 at a time' };

/** A change to a dataset. Cases are identified by their permanent number. Omitted parts stay unchanged. */
export const datasetChangeSchema = z.strictObject({
  name: nameSchema.optional(),
  version: z
    .int()
    .optional()
    .meta({ description: 'The latest version that you have read. If there is a newer one, nothing is changed.' }),
  add: z.array(newCaseSchema).max(1_000, tooManyError).default([]),
  change: z
    .array(
      z.strictObject({
        number: caseNumber,
        input: caseInputSchema.shape.input.optional(),
        reference: caseInputSchema.shape.reference.unwrap().optional(),
        tags: caseInputSchema.shape.tags.unwrap().optional(),
        metadata: caseInputSchema.shape.metadata.unwrap().optional(),
        criteria: caseInputSchema.shape.criteria,
      }),
    )
    .max(1_000, tooManyError)
    .default([]),
  remove: z.array(caseNumber).max(1_000, tooManyError).default([]),
  message: messageSchema.optional(),
});

type Change = z.infer<typeof datasetChangeSchema>;

/**
 * Changes a dataset's cases atomically, in one new version. The name is not part of a version. A held-out case stays held out, because runs
 * have been evaluated on it.
 */
export async function updateDataset(
  context: AppContext,
  actor: Actor,
  datasetId: string,
  input: unknown,
): Promise<Result<ChangedDataset>> {
  const parsed = parseInput(datasetChangeSchema, input);
  if (!parsed.ok) return parsed;
  const change = parsed.value;
  const faulty =
    (await rejectInvalidCriteria(change.add, (index) => `add.${index}.criteria`)) ??
    (await rejectInvalidCriteria(change.change, (index) => `change.${index}.criteria`));
  if (faulty !== null) return faulty;
  return tryInTransaction(context.database, async (transaction) => {
    const locked = await lockDataset(transaction, datasetId);
    if (locked === null) return notStored('dataset', datasetId);
    const { latestVersion, nextPosition, caseCount } = locked;
    if (change.version !== undefined && change.version !== latestVersion) {
      const message = `The dataset is now at version ${latestVersion}, but this change is based on version ${change.version}. Reload the dataset and repeat the change.`;
      return fail('conflict', message, 'version');
    }
    const planned = await planChange(transaction, datasetId, change);
    if (!planned.ok) return planned;
    const { changed, removed } = planned.value;
    const filesMissing =
      (await protectFiles(transaction, change.add, context.now(), (index) => `add.${index}.input`)) ??
      (await protectFiles(transaction, changed, context.now(), (index) => `change.${index}.input`));
    if (filesMissing !== null) return filesMissing;
    if (caseCount + change.add.length - removed.length > MAX_DATASET_CASES)
      return fail('invalid', 'A dataset can have at most 100,000 cases. Nothing was stored.', 'add');
    if (change.name !== undefined)
      await renameDataset(transaction, actor, { id: datasetId, name: change.name, updatedAt: context.now() });
    const counts = { added: change.add.length, changed: changed.length, removed: removed.length };
    if (counts.added + counts.changed + counts.removed === 0)
      return succeed({ version: latestVersion, caseCount, ...counts });
    const version = latestVersion + 1;
    const added = change.add.map((one, index) => ({ ...one, position: nextPosition + index }));
    // The old states of changed cases end with this version.
    const ended = [...removed, ...changed.map(({ position }) => position)];
    const where = { datasetId, ended: null, position: { in: ended } };
    await transaction.datasetCase.updateMany({ where, data: { ended: version } });
    await insertCases(transaction, { datasetId, version, cases: [...changed, ...added] });
    const total = await closeDatasetVersion(transaction, {
      ...{ datasetId, version, ...counts, actor: actor.name },
      ...{ message: change.message || null, now: context.now() },
    });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'dataset', id: datasetId },
      change: { version, ...counts },
    });
    return succeed({ version, caseCount: total, ...counts });
  });
}

async function renameDataset(
  transaction: Transaction,
  actor: Actor,
  { id, ...data }: { id: string; name: string; updatedAt: Date },
): Promise<void> {
  const { count } = await transaction.dataset.updateMany({ where: { id, NOT: { name: data.name } }, data });
  if (count === 0) return;
  const subject = { kind: 'dataset' as const, id, name: data.name };
  await recordChange(transaction, actor, { act: 'changed', subject, change: { fields: 'name' } });
}

type Planned = { changed: (Case & { position: number })[]; removed: number[] };

async function planChange(transaction: Transaction, datasetId: string, change: Change): Promise<Result<Planned>> {
  const numbers = [...change.change.map(({ number }) => number), ...change.remove];
  const twice = numbers.find((number, at) => numbers.indexOf(number) !== at);
  if (twice !== undefined) return fail('invalid', `case ${twice} is named twice.`, 'change');
  const stored = await casesAt(
    transaction,
    datasetId,
    numbers.map((number) => number - 1),
  );
  const there = new Map(stored.map((one) => [one.position, one]));
  const missing = numbers.find((number) => !there.has(number - 1));
  if (missing !== undefined)
    return fail('not_found', `There is no case ${missing} in this dataset. It may have been removed.`, 'change');
  for (const [at, one] of change.add.entries()) {
    const refused = refuseSplits(one, null, `add.${at}.tags`);
    if (refused !== null) return refused;
  }
  const changed: Planned['changed'] = [];
  for (const [at, { number, input, ...parts }] of change.change.entries()) {
    const before = there.get(number - 1);
    if (before === undefined) continue;
    const { reference = before.reference, tags = before.tags, metadata = before.metadata } = parts;
    const { criteria = before.criteria } = parts;
    const text = input === undefined ? { input: before.input, messages: before.messages } : readInput(input);
    const after = { position: before.position, ...text, reference, tags, metadata, criteria };
    const refused = refuseSplits(after, before, `change.${at}.tags`);
    if (refused !== null) return refused;
    if (!isSame(before, after)) changed.push(after);
  }
  return succeed({ changed, removed: change.remove.map((number) => number - 1) });
}

function refuseSplits(after: Case, before: Case | null, field: string): Result<never> | null {
  if (before !== null && taggedSplit(before) === 'held_out' && taggedSplit(after) !== 'held_out')
    return fail(
      'conflict',
      'A held-out case must stay held out, because runs were judged on it. Keep its tag held_out, or remove the case.',
      field,
    );
  const sides = new Set(after.tags.filter((tag) => SPLIT_TAGS.includes(tag)).map((tag) => tag.replace('-', '_')));
  if (sides.size > 1 && (before === null || before.tags.join('\n') !== after.tags.join('\n')))
    return fail('invalid', 'A case can have only one of the tags train, validation and held_out.', field);
  return null;
}

function isSame(one: Case, other: Case): boolean {
  return caseFingerprint(one) === caseFingerprint(other) && JSON.stringify(one.tags) === JSON.stringify(other.tags);
}

export const divisionInputSchema = z.strictObject({
  ...divisionSchema.shape,
  message: messageSchema.optional(),
});

/** Splits the unsplit cases of a dataset in a new version of it. Other cases keep their split. Returns the number of cases per split. */
export async function splitDatasetCases(
  context: AppContext,
  actor: Actor,
  datasetId: string,
  input: unknown,
): Promise<Result<DividedDataset>> {
  const parsed = parseInput(divisionInputSchema, input);
  if (!parsed.ok) return parsed;
  const { message, ...division } = parsed.value;
  return tryInTransaction(context.database, async (transaction) => {
    const locked = await lockDataset(transaction, datasetId);
    if (locked === null) return notStored('dataset', datasetId);
    const free = await transaction.datasetCase.findMany({
      where: { datasetId, ended: null, NOT: { tags: { hasSome: SPLIT_TAGS } } },
      select: { position: true, tags: true },
      orderBy: { position: 'asc' },
    });
    if (free.length === 0) return fail('conflict', 'Every case already has a split.');
    const splits = assignSplits(free, division);
    const version = locked.latestVersion + 1;
    const counts = { train: 0, validation: 0, held_out: 0 };
    for (const tag of SPLITS) {
      const positions = free.flatMap(({ position }, at) => (splits[at] === tag ? [position] : []));
      counts[tag] = positions.length;
      await tagCases(transaction, { datasetId, version, positions, tag });
    }
    const { train, validation, held_out: heldOut } = counts;
    await closeDatasetVersion(transaction, {
      ...{ datasetId, version, added: 0, changed: free.length, removed: 0, actor: actor.name, now: context.now() },
      message:
        message ||
        `Split ${formatNumberOf(free.length, 'case')}: ${train} training, ${validation} validation, ${heldOut} held out`,
    });
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'dataset', id: datasetId },
      change: { version, train, validation, heldOut },
    });
    return succeed({ version, train, validation, heldOut });
  });
}

/**
 * Deletes a dataset with all its cases. Reports the number of cases in its latest version. Runs keep their own copy of the case they ran.
 */
export async function deleteDataset(
  { database }: AppContext,
  actor: Actor,
  datasetId: string,
): Promise<Result<{ deleted: { datasets: number; cases: number } }>> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction.dataset.findUnique({ where: { id: datasetId }, select: { name: true } });
    const cases = await transaction.datasetCase.count({ where: { datasetId, ended: null } });
    const { count } = await transaction.dataset.deleteMany({ where: { id: datasetId } });
    if (count === 0) return notStored('dataset', datasetId);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'dataset', id: datasetId, name: found?.name ?? null },
      change: { cases },
    });
    return succeed({ deleted: { datasets: count, cases } });
  });
}
