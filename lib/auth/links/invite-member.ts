import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { insertMemberLink } from '#lib/auth/member-links.ts';
import { ROLES } from '#lib/auth/role.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import { tryInTransaction } from '#lib/database/try-in-transaction.ts';
import type { Actor } from '../authorize.ts';
import { recordChange } from '../record-change.ts';
import { makeLinkToken } from './link-token.ts';
import { refuseNoOwner } from './refuse-no-owner.ts';

export const INVITATION_DAYS = 7;

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
  return tryInTransaction(database, async (client) => {
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
