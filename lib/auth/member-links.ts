import { z } from 'zod';
import type { AuditConnection } from '#lib/audit/insert-audit.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { ROLES, type Role, roleAllows } from './role.ts';

/** What a link is for: the first owner of an installation, a new member, a new password of a member. */
export const LINK_PURPOSES = ['first_owner', 'member', 'password'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** A link that lets somebody in once, without its token. `label`: whom it is for; `memberId`: of a new password, whose. */
export type MemberLink = {
  id: string;
  purpose: LinkPurpose;
  role: Role;
  label: string;
  memberId: string | null;
  createdBy: string;
  createdById: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  withdrawnAt: Date | null;
};

/** A transaction of pg, or its pool. */
type Connection = Extract<AuditConnection, { query: unknown }>;

/** Keeps a link by the SHA-256 of its token, in hexadecimal. */
export async function insertMemberLink(
  connection: Connection,
  link: Omit<MemberLink, 'usedAt' | 'withdrawnAt'> & { hash: string },
): Promise<void> {
  const { id, purpose, hash, role, label, memberId, createdBy, createdById, createdAt, expiresAt } = link;
  await connection.query(
    `INSERT INTO invitations (id, purpose, hash, role, label, member_id, created_by, created_by_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [id, purpose, hash, role, cleanText(label), memberId, createdBy, createdById, createdAt, expiresAt],
  );
}

/** The link with this hash, where it can still be used; null where not. */
export async function findOpenMemberLink(connection: Connection, hash: string, now: Date): Promise<MemberLink | null> {
  const { rows } = await connection.query(`SELECT ${COLUMNS} FROM invitations WHERE hash = $1 AND ${IS_OPEN}`, [
    hash,
    now,
  ]);
  return rows.length === 0 ? null : linkSchema.parse(rows[0]);
}

/** Uses a link up, by one asker alone; false where it can't be used any more. */
export async function redeemMemberLink(
  connection: Connection,
  { id, usedById, now }: { id: string; usedById: string; now: Date },
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `UPDATE invitations SET used_at = $2, used_by_id = $3 WHERE id = $1 AND ${IS_OPEN}`,
    [id, now, usedById],
  );
  return rowCount === 1;
}

/** Withdraws an invitation, or a link for a new password, that is still open; null where there is none. */
export async function withdrawMemberLink(connection: Connection, id: string, now: Date): Promise<MemberLink | null> {
  const { rows } = await connection.query(
    `UPDATE invitations SET withdrawn_at = $2 WHERE id = $1 AND purpose <> 'first_owner' AND ${IS_OPEN} RETURNING ${COLUMNS}`,
    [id, now],
  );
  return rows.length === 0 ? null : linkSchema.parse(rows[0]);
}

/** Withdraws the open links for a new password of a member, of which only the latest one holds; answers how many. */
export async function withdrawPasswordLinks(connection: Connection, memberId: string, now: Date): Promise<number> {
  const { rowCount } = await connection.query(
    `UPDATE invitations SET withdrawn_at = $2 WHERE member_id = $1 AND purpose = 'password' AND ${IS_OPEN}`,
    [memberId, now],
  );
  return rowCount ?? 0;
}

/**
 * Withdraws the open links that a member made and that give more than they may give with the role they keep: invitations to a higher one,
 * and links for a new password unless they stay owner. `kept` null: they keep none, and all are withdrawn. Answers how many.
 */
export async function withdrawLinksMadeBy(
  connection: Connection,
  { memberId, kept, now }: { memberId: string; kept: Role | null; now: Date },
): Promise<number> {
  const { rowCount } = await connection.query(
    `UPDATE invitations SET withdrawn_at = $2 WHERE created_by_id = $1 AND ${IS_OPEN}
       AND (role <> ALL ($3::text[]) OR (purpose = 'password' AND $4))`,
    [memberId, now, ROLES.filter((role) => kept !== null && roleAllows(kept, role)), kept !== 'owner'],
  );
  return rowCount ?? 0;
}

const IS_OPEN = 'used_at IS NULL AND withdrawn_at IS NULL AND expires_at > $2';
const COLUMNS = `id, purpose, role, label, member_id AS "memberId", created_by AS "createdBy", created_by_id AS "createdById",
  created_at AS "createdAt", expires_at AS "expiresAt", used_at AS "usedAt", withdrawn_at AS "withdrawnAt"`;
const linkSchema = z.object({
  id: z.string(),
  purpose: z.enum(LINK_PURPOSES),
  role: z.enum(ROLES),
  label: z.string(),
  memberId: z.string().nullable(),
  createdBy: z.string(),
  createdById: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  usedAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
});
