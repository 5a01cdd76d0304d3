import { z } from 'zod';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { choiceOf } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import type { Database } from '#lib/database/database.ts';
import { lockUntilCommit } from '#lib/database/locks.ts';
import { parseInput } from '#lib/input/parse-input.ts';

/** A named list with its filters. `query` is the URL query string without the question mark. */
export type SavedView = { id: string; name: string; query: string };

/** Returns a person's saved views of a page, oldest first. */
export async function listSavedViews(database: Database, actorId: string, page: string): Promise<SavedView[]> {
  return database.prisma.savedView.findMany({
    where: { actorId, page },
    select: { id: true, name: true, query: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

const PAGES = ['experiments'] as const;
/** Maximum number of views per page, so that the list stays readable. */
const MAX_VIEWS = 20;

const viewInputSchema = z.strictObject({
  page: choiceOf(PAGES),
  name: z
    .string({ error: 'must be a text of 1 to 40 characters' })
    .overwrite(visibleName)
    .trim()
    .min(1, { error: 'must not be empty (1 to 40 characters)' })
    .max(40, { error: 'must be at most 40 characters' }),
  query: z.string({ error: 'must be a text' }).max(1_000, { error: 'must be at most 1,000 characters' }),
});

/**
 * Saves a list with its filters under a name for the actor. An existing view with the same name gets the new filters. Safe for concurrent
 * calls.
 */
export async function saveView(context: AppContext, actor: Actor, input: unknown): Promise<Result<{ name: string }>> {
  const parsed = parseInput(viewInputSchema, input);
  if (!parsed.ok) return parsed;
  const { page, name, query } = parsed.value;
  const actorId = personOf(actor);
  return context.database.prisma.$transaction(async (transaction) => {
    await lockUntilCommit(transaction, `views of ${page} of ${actorId}`);
    const others = await transaction.savedView.count({ where: { actorId, page, name: { not: name } } });
    if (others >= MAX_VIEWS)
      return fail('conflict', `${MAX_VIEWS} views are saved, the maximum. Remove one that you no longer use.`, 'name');
    await transaction.savedView.upsert({
      where: { actorId_page_name: { actorId, page, name } },
      create: { id: context.newId(), actorId, page, name, query, createdAt: context.now() },
      update: { query },
    });
    return succeed({ name });
  });
}

/** Deletes one of the actor's saved views. */
export async function removeView(
  { database }: AppContext,
  actor: Actor,
  id: string,
): Promise<Result<{ removed: true }>> {
  const isId = z.guid().safeParse(id).success;
  const where = { id, actorId: personOf(actor) };
  const removed = isId ? (await database.prisma.savedView.deleteMany({ where })).count : 0;
  return removed === 0 ? fail('not_found', 'You have no saved view with this id.') : succeed({ removed: true });
}
