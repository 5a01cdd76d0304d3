import { forgetPaidReplies } from '#lib/db/paid-replies.ts';
import { deleteStoredProvider } from '#lib/db/write-provider.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import type { Workshop } from './workshop.ts';

/** Deletes a stored provider and its key. Experiments that name it stay; their next run says that it is missing. */
export async function deleteProvider(
  workshop: Workshop,
  _actor: Actor,
  name: string,
): Promise<Result<{ deleted: { providers: number } }>> {
  const deleted = await deleteStoredProvider(workshop.database, name);
  if (deleted) await forgetPaidReplies(workshop.database, name);
  return deleted
    ? succeed({ deleted: { providers: 1 } })
    : fail('not_found', `There is no stored provider named ${JSON.stringify(name)}.`);
}
