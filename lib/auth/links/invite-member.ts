import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { insertMemberLink, withdrawMemberLink } from '#lib/auth/member-links.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { ROLES } from '#lib/auth/role.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { visibleName } from '#lib/core/text-values.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { tryInPoolTransaction } from '#lib/database/transactions.ts';
import { makeLinkToken, refuseNoOwner } from './member-link.ts';

const INVITATION_DAYS = 7;

/** A new link; `path` holds its token and is known this once. `expiresAt` is ISO 8601. */
export type MadeLink = { id: string; path: string; expiresAt: string };

/** What an invitation is made from. `label`: whom it is for, 1 to 80 characters, for the list of open ones. */
export const invitationInput = z.strictObject({
  role: z.enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` }),
  label: z
    .string({ error: 'must be a text' })
    .transform((text) => visibleName(cleanText(text)).trim())
    .pipe(
      z
        .string()
        .min(1, { error: 'must say whom the invitation is for' })
        .max(80, { error: 'must be at most 80 characters' }),
    ),
});

/** Makes a link by which somebody becomes a member with a role: once, within seven days. An owner asks for it. */
export async function inviteMember(
  database: Pick<Database, 'pool'>,
  actor: Actor,
  input: unknown,
  now: Date,
): Promise<Result<MadeLink>> {
  const parsed = invitationInput.safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail('invalid', issue?.message ?? 'must be an object', issue?.path.join('.') || null);
  }
  const { role, label } = parsed.data;
  const { hash, path } = makeLinkToken();
  const id = randomUUID();
  const expiresAt = new Date(now.getTime() + INVITATION_DAYS * 24 * 60 * 60 * 1000);
  return tryInPoolTransaction(database, async (client) => {
    const refused = await refuseNoOwner(client, actor);
    if (refused !== null) return refused;
    await insertMemberLink(client, {
      ...{ id, purpose: 'member', hash, role, label, memberId: null, expiresAt },
      ...{ createdBy: actor.name, createdById: actor.memberId ?? actor.id, createdAt: now },
    });
    await recordChange(client, actor, {
      act: 'invited',
      subject: { kind: 'invitation', id, name: label },
      change: { role },
    });
    return succeed({ id, path, expiresAt: expiresAt.toISOString() });
  });
}

/** Withdraws an invitation, or a link for a new password, that is still open. `id`: of the link, a UUID. */
export async function withdrawInvitation(
  database: Pick<Database, 'pool'>,
  actor: Actor,
  id: string,
  now: Date,
): Promise<Result<{ id: string }>> {
  return tryInPoolTransaction(database, async (client) => {
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
