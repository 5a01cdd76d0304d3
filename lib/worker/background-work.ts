import { changeSince, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { type BackgroundWork, type FoundWork, findBackgroundWork } from '#lib/runs/worker-queries.ts';

/** How long an answer holds at least, in milliseconds: those who look at the same moment share it. */
const FRESH_MS = 900;
/** How long it holds though runs have ended since: what is done for ended runs is done for many together. */
const GATHER_MS = 5_000;
/** How long it holds where nothing was announced. */
const LONGEST_MS = 20_000;
/** Kinds that are looked for again soon after some were found: there may be more than was done at once. */
const URGENT: readonly BackgroundWork[] = ['pauses', 'deliveries', 'lessons', 'stopAll'];

/** `taken`: kinds that were answered with true, which is done once an answer. */
type Known = { mark: Mark; found: Promise<FoundWork>; taken: Set<BackgroundWork> };
const known = new WeakMap<Database, Known>();

/**
 * Whether there is work of a kind. All kinds are looked up in one statement, and only when some may have come: when it was announced, when a
 * pause or a delivery is due, or after 20 s. A process that hears no announcements asks once a second.
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
  if (ageMs >= LONGEST_MS || (nextMs !== null && ageMs > nextMs) || URGENT.some((kind) => answer[kind])) return true;
  if (changeSince(database, mark, ['work']) !== 'none') return true;
  return ageMs >= GATHER_MS && (answer.texts || changeSince(database, mark, ['ended']) !== 'none');
}

/** Of several that find the same answer outdated one asks. */
function renewed(database: Database, last: Known | undefined): Known {
  const current = known.get(database);
  if (current !== undefined && current !== last) return current;
  const made = { mark: markChanges(database), found: findBackgroundWork(database), taken: new Set<BackgroundWork>() };
  known.set(database, made);
  // The next look asks again.
  made.found.catch(() => known.get(database) === made && known.delete(database));
  return made;
}
