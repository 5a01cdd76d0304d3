import type { Database } from '#lib/database/database.ts';

/** Which of these ids name no lesson. */
export async function missingLessons(database: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await database.prisma.lesson.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/** How those of these lessons stand that no person has promoted, by id: their status, or that the screening holds them. */
export async function unpromotedLessons(
  { prisma }: Pick<Database, 'prisma'>,
  ids: string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await prisma.lesson.findMany({
    where: { id: { in: ids }, NOT: { status: 'promoted', mergedIntoId: null } },
    select: { id: true, status: true, admission: true },
  });
  return new Map(
    found.map(({ id, status, admission }) => [id, admission === 'held' ? 'held by the screening' : status]),
  );
}
