import type { Database } from './database.ts';

/** How long an answer holds, in milliseconds. */
const FRESH_MS = 1_000;

type Known = { at: number; answer: Promise<boolean> };
const known = new WeakMap<Database, Known>();

/**
 * Whether there is any lesson that may reach other runs, as of a second ago at most: what asks at every step of every run must not
 * ask the database each time. It spares a search where there is nothing to find; which lessons are given is always asked anew, so
 * that one which is retired is in no prompt from then on.
 */
export function hasPromotedLessons(database: Database): Promise<boolean> {
  const now = performance.now();
  const last = known.get(database);
  if (last !== undefined && now - last.at < FRESH_MS) return last.answer;
  const answer = askDatabase(database).catch((error: unknown) => {
    known.delete(database);
    throw error;
  });
  known.set(database, { at: now, answer });
  return answer;
}

/** Takes note of what was just read along with something else. */
export function noteHasPromotedLessons(database: Database, answer: boolean): void {
  known.set(database, { at: performance.now(), answer: Promise.resolve(answer) });
}

/** The condition itself, to be read along with something else. */
export const HAS_PROMOTED_LESSONS = `EXISTS (SELECT 1 FROM lessons WHERE status = 'promoted' AND merged_into_id IS NULL)`;

async function askDatabase(database: Database): Promise<boolean> {
  const { rows } = await database.pool.query<{ any: boolean }>({
    name: 'has-promoted-lessons',
    text: `SELECT ${HAS_PROMOTED_LESSONS} AS any`,
  });
  return rows[0]?.any === true;
}
