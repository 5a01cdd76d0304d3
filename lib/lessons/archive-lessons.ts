import type { LessonStatus } from '#lib/core/lesson-kinds.ts';
import type { Database } from '#lib/database/database.ts';

const REFUSED: LessonStatus[] = ['rejected', 'archived'];

/** Those of the lessons that a person rejected or retired, or the ones they were merged into, and those that the screening holds. */
export async function archiveLessons(database: Database, ids: string[]): Promise<Set<string>> {
  const refused = { status: { in: REFUSED }, mergedIntoId: null };
  const found = await database.prisma.lesson.findMany({
    where: { id: { in: ids }, OR: [refused, { mergedInto: refused }, { status: 'candidate', admission: 'held' }] },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}
