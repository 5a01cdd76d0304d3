import type { Database } from '#lib/database/database.ts';

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
