import { changeSince, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { type BackgroundWork, type FoundWork, findBackgroundWork } from '#lib/runs/worker-queries.ts';

/** Minimum time a result is cached, in milliseconds. Checks within that time share it. */
const FRESH_MS = 900;
/** Minimum time a result is cached when only ended runs were announced, in milliseconds, so that many ended runs are processed together. */
const GATHER_MS = 5_000;
/** Maximum time a result is cached without an announcement, in milliseconds. */
const MAX_CACHE_MS = 20_000;
/** Kinds that are checked again soon after some were found, because not all of the work may have been done at once. */
const URGENT: readonly BackgroundWork[] = ['pauses', 'deliveries', 'lessons', 'stopAll'];

/** `taken`: kinds already reported as true, which happens once per result. */
type Known = { mark: Mark; found: Promise<FoundWork>; taken: Set<BackgroundWork> };
const known = new WeakMap<Database, Known>();

/**
 * Returns true if there is work of a kind. One statement checks all kinds, and only if some work may have arrived: after an announcement,
 * when a pause or a delivery is due, or after 20 s. A process without announcements checks once a second.
 */
export async function hasBackgroundWork(database: Database, kind: BackgroundWork): Promise<boolean> {
  const last = known.get(database);
  const current = last === undefined || (await isOutdated(database, last)) ? renewed(database, last) : last;
  if (!(await current.found)[kind] || current.taken.has(kind)) return false;
  current.taken.add(kind);
  return true;
}

async function isOutdated(database: Database, { mark, found }: Known): Promise<boolean> {
  const ageMs = performance.now() - mark.atMs;
  if (ageMs < FRESH_MS) return false;
  const answer = await found;
  const { nextMs } = answer;
  if (ageMs >= MAX_CACHE_MS || (nextMs !== null && ageMs > nextMs) || URGENT.some((kind) => answer[kind])) return true;
  if (changeSince(database, mark, ['work']) !== 'none') return true;
  return ageMs >= GATHER_MS && (answer.texts || changeSince(database, mark, ['ended']) !== 'none');
}

/** Refreshes an outdated result. If several callers find it outdated, only one runs the query. */
function renewed(database: Database, last: Known | undefined): Known {
  const current = known.get(database);
  if (current !== undefined && current !== last) return current;
  const made = { mark: markChanges(database), found: findBackgroundWork(database), taken: new Set<BackgroundWork>() };
  known.set(database, made);
  // After a failure the next check runs the query again.
  made.found.catch(() => known.get(database) === made && known.delete(database));
  return made;
}
