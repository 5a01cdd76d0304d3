import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';

type Known = { mark: Mark; answer: Promise<boolean> };
const known = new WeakMap<Database, Known>();

/**
 * Returns true if there may be lessons for other runs. Cached in this process, because every step of every run calls it. It only saves
 * unnecessary searches. The lessons themselves are always read from the database, so a retired lesson is never recalled.
 */
export function hasPromotedLessons(database: Database): Promise<boolean> {
  const last = known.get(database);
  if (last !== undefined && isUnchanged(database, last.mark, ['lessons'])) return last.answer;
  const mark = markChanges(database);
  const answer = queryHasPromotedLessons(database).catch((error: unknown) => {
    known.delete(database);
    throw error;
  });
  known.set(database, { mark, answer });
  return answer;
}

/** Updates the cache with a value that was read in another query after `mark`. */
export function cacheHasPromotedLessons(database: Database, mark: Mark, answer: boolean): void {
  known.set(database, { mark, answer: Promise.resolve(answer) });
}

/** SQL condition, for use in other queries. */
export const HAS_PROMOTED_LESSONS = `EXISTS (SELECT 1 FROM lessons WHERE status = 'promoted' AND merged_into_id IS NULL)`;

async function queryHasPromotedLessons(database: Database): Promise<boolean> {
  const where = { status: 'promoted', mergedIntoId: null };
  return (await database.prisma.lesson.findFirst({ where, select: { id: true } })) !== null;
}

/** Returns the ids that belong to no lesson. */
export async function missingLessons(database: Database, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await database.prisma.lesson.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id.toLowerCase()));
}

/** Returns the state of those of these lessons that no person has promoted, by id: their status, or that the screening holds them. */
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
