import { lockUntilCommit } from '#lib/audit/lock-until-commit.ts';
import type { Database } from '#lib/database/database.ts';

/** A list with its filters under a name; `query` is what stands after the question mark. */
export type SavedView = { id: string; name: string; query: string };

/** The views that somebody keeps of a page, in the order they were first kept. */
export async function listSavedViews(database: Database, actorId: string, page: string): Promise<SavedView[]> {
  return database.prisma.savedView.findMany({
    where: { actorId, page },
    select: { id: true, name: true, query: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/**
 * Keeps a view; one of the same name takes the new query. False, and nothing is kept, where it would be one more than `most` of a page,
 * also where several come at the same moment.
 */
export async function putSavedView(
  database: Pick<Database, 'prisma'>,
  view: SavedView & { actorId: string; page: string; now: Date },
  most: number,
): Promise<boolean> {
  const { id, actorId, page, name, query, now } = view;
  return database.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, `views of ${page} of ${actorId}`);
    const others = await transaction.savedView.count({ where: { actorId, page, name: { not: name } } });
    if (others >= most) return false;
    await transaction.savedView.upsert({
      where: { actorId_page_name: { actorId, page, name } },
      create: { id, actorId, page, name, query, createdAt: now },
      update: { query },
    });
    return true;
  });
}

/** Forgets a view of somebody's; false where they have none of this id. */
export async function deleteSavedView(database: Database, actorId: string, id: string): Promise<boolean> {
  const { count } = await database.prisma.savedView.deleteMany({ where: { id, actorId } });
  return count > 0;
}
