import { withdrawMemberLink } from '#lib/auth/member-links.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import type { Actor } from '../authorize.ts';
import { recordChange } from '../record-change.ts';

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
