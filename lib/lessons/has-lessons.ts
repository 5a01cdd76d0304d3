import { isUnchanged, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';

type Known = { mark: Mark; answer: Promise<boolean> };
const known = new WeakMap<Database, Known>();

/**
 * Whether there is any lesson that may reach other runs, as far as this process has heard: what asks at every step of every run must
 * not ask the database each time. It spares a search where there is nothing to find; which lessons are given is always asked anew, so
 * that one which is retired is in no prompt from then on.
 */
export function hasPromotedLessons(database: Database): Promise<boolean> {
  const last = known.get(database);
  if (last !== undefined && isUnchanged(database, last.mark, ['lessons'])) return last.answer;
  const mark = markChanges(database);
  const answer = askDatabase(database).catch((error: unknown) => {
    known.delete(database);
    throw error;
  });
  known.set(database, { mark, answer });
  return answer;
}

/** Takes note of what was read along with something else, after `mark`. */
export function noteHasPromotedLessons(database: Database, mark: Mark, answer: boolean): void {
  known.set(database, { mark, answer: Promise.resolve(answer) });
}

/** The condition itself, to be read along with something else. */
export const HAS_PROMOTED_LESSONS = `EXISTS (SELECT 1 FROM lessons WHERE status = 'promoted' AND merged_into_id IS NULL)`;

async function askDatabase(database: Database): Promise<boolean> {
  const where = { status: 'promoted', mergedIntoId: null };
  return (await database.prisma.lesson.findFirst({ where, select: { id: true } })) !== null;
}

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
