import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { ROLES, type Role } from './role.ts';

/** Whose an API token is, as they stand now. */
export type TokenMember = { id: string; name: string; role: Role; disabledAt: string | null };

const roleSchema = z.enum(ROLES);

/** The member whose token this is; null where it was made in local mode. */
export async function findTokenMember(
  { prisma }: Pick<Database, 'prisma'>,
  tokenId: string,
): Promise<TokenMember | null> {
  const row = await prisma.apiToken.findUnique({
    where: { id: tokenId },
    select: { member: { select: { id: true, name: true, role: true, disabledAt: true } } },
  });
  const member = row?.member ?? null;
  return (
    member && {
      ...member,
      role: roleSchema.parse(member.role),
      disabledAt: member.disabledAt?.toISOString() ?? null,
    }
  );
}
