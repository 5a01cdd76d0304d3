import type { Database } from './database.ts';

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

/** Keeps a view; one of the same name takes the new query. */
export async function putSavedView(
  database: Database,
  view: SavedView & { actorId: string; page: string; now: Date },
): Promise<void> {
  const { id, actorId, page, name, query, now } = view;
  await database.prisma.savedView.upsert({
    where: { actorId_page_name: { actorId, page, name } },
    create: { id, actorId, page, name, query, createdAt: now },
    update: { query },
  });
}

/** Forgets a view of somebody's; false where they have none of this id. */
export async function deleteSavedView(database: Database, actorId: string, id: string): Promise<boolean> {
  const { count } = await database.prisma.savedView.deleteMany({ where: { id, actorId } });
  return count > 0;
}
