import type { Database } from './database.ts';

/** Which of these ids name no lesson. */
export async function missingLessons(database: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await database.prisma.lesson.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}
