import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { SPLITS } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { tryInTransaction } from '#lib/database/transactions.ts';
import { formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { closeDatasetVersion } from './dataset-versions.ts';
import { divisionSchema, messageSchema } from './import-options.ts';
import { lockDataset, tagCases } from './queries.ts';
import { type DividedDataset, SPLIT_TAGS } from './schema.ts';
import { assignSplits } from './split-cases.ts';

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
    if (locked === null) return fail('not_found', `There is no dataset ${datasetId}.`);
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
