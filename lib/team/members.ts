import { z } from 'zod';
import type { Invitation } from '#lib/auth/member-schema.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { Database } from '#lib/database/database.ts';

const moment = z.date().transform((date) => date.toISOString());
const invitationRows = z.array(
  z
    .object({
      id: z.string(),
      purpose: z.enum(['member', 'password']),
      label: z.string(),
      role: z.enum(ROLES),
      member_id: z.string().nullable(),
      created_by: z.string(),
      created_at: moment,
      expires_at: moment,
    })
    .transform(
      ({ member_id, created_by, created_at, expires_at, ...invitation }): Invitation => ({
        ...invitation,
        memberId: member_id,
        createdBy: created_by,
        createdAt: created_at,
        expiresAt: expires_at,
      }),
    ),
);

/** Invitations and links for new passwords that still hold, the newest first. */
export async function listInvitations({ pool }: Pick<Database, 'pool'>, now: Date): Promise<Invitation[]> {
  const { rows } = await pool.query(
    `SELECT id, purpose, label, role, member_id, created_by, created_at, expires_at FROM invitations
     WHERE purpose IN ('member', 'password') AND used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $1
     ORDER BY created_at DESC, id LIMIT 200`,
    [now],
  );
  return invitationRows.parse(rows);
}

/** Names of the owners that are not disabled, by name; none in local mode. */
export async function listOwnerNames({ prisma }: Pick<Database, 'prisma'>): Promise<string[]> {
  const rows = await prisma.member.findMany({
    where: { role: 'owner', disabledAt: null },
    select: { name: true },
    orderBy: { name: 'asc' },
    take: 20,
  });
  return rows.map(({ name }) => name);
}
