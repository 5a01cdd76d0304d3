import type { Database } from '#lib/db/database.ts';
import { withdrawMemberLink } from '#lib/db/member-links.ts';
import { tryInTransaction } from '#lib/db/try-in-transaction.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Actor } from '../authorize.ts';

/** Withdraws an invitation, or a link for a new password, that is still open. `id`: of the link, a UUID. */
export async function withdrawInvitation(
  database: Pick<Database, 'pool'>,
  actor: Actor,
  id: string,
  now: Date,
): Promise<Result<{ id: string }>> {
  return tryInTransaction(database, async (client) => {
    const link = await withdrawMemberLink(client, id, now);
    if (link === null)
      return fail('not_found', 'There is no open invitation with this id: it was used, has ended or was withdrawn.');
    await recordChange(client, actor, {
      act: 'withdrew',
      subject: { kind: 'invitation', id, name: link.label },
      change: { purpose: link.purpose, role: link.role },
    });
    return succeed({ id });
  });
}
