import { changeSince, type Mark, markChanges } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { FEW_CHANGES } from '#lib/lessons/write-queries.ts';

/** What there may be to do beside the runs: see `backgroundTasks`. */
export type BackgroundWork = 'pauses' | 'deliveries' | 'lessons' | 'texts' | 'runTotals' | 'lessonTotals' | 'stopAll';

/** How long an answer holds at least, in milliseconds: those who look at the same moment share it. */
const FRESH_MS = 900;
/** How long it holds though runs have ended since: what is done for ended runs is done for many together. */
const GATHER_MS = 5_000;
/** How long it holds where nothing was announced. */
const LONGEST_MS = 20_000;
/** Kinds that are looked for again soon after some were found: there may be more than was done at once. */
const URGENT: readonly BackgroundWork[] = ['pauses', 'deliveries', 'lessons', 'stopAll'];

// Each part takes the first entry of an index: it costs the same however many runs, lessons and deliveries there are. No parameters, and the
// order that the index has: else a plan for unknown values would go through all runs.
const WAITING = `
  SELECT (SELECT id FROM runs WHERE pause_expires_at <= now() ORDER BY pause_expires_at LIMIT 1) IS NOT NULL AS pauses,
    (SELECT id FROM webhook_deliveries WHERE next_try_at <= now() ORDER BY next_try_at LIMIT 1) IS NOT NULL
      OR (SELECT id FROM webhook_deliveries WHERE next_try_at > now() + interval '15 minutes' ORDER BY next_try_at DESC LIMIT 1) IS NOT NULL AS deliveries,
    (SELECT id FROM lessons WHERE admission = 'waiting' AND status = 'candidate' ORDER BY created_at, id DESC LIMIT 1) IS NOT NULL AS lessons,
    (SELECT run_id FROM run_measures WHERE NOT searched LIMIT 1) IS NOT NULL AS texts,
    EXISTS (SELECT 1 FROM uncounted_runs) AS "runTotals",
    (SELECT count(*) FROM lesson_totals) > ${FEW_CHANGES} AS "lessonTotals",
    EXISTS (SELECT 1 FROM installation_settings WHERE key = 'stop_all' AND value->>'doneAt' IS NULL) AS "stopAll",
    (extract(epoch FROM least(
      (SELECT pause_expires_at FROM runs WHERE pause_expires_at > now() ORDER BY pause_expires_at LIMIT 1),
      (SELECT next_try_at FROM webhook_deliveries WHERE next_try_at > now() ORDER BY next_try_at LIMIT 1)) - now()) * 1000)::float8 AS "nextMs"`;

/** `nextMs`: how long after the look the next pause or delivery is due; null where none waits. */
type Found = Record<BackgroundWork, boolean> & { nextMs: number | null };
/** `taken`: kinds that were answered with true, which is done once an answer. */
type Known = { mark: Mark; found: Promise<Found>; taken: Set<BackgroundWork> };
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
  const made = { mark: markChanges(database), found: findWork(database), taken: new Set<BackgroundWork>() };
  known.set(database, made);
  // The next look asks again.
  made.found.catch(() => known.get(database) === made && known.delete(database));
  return made;
}

async function findWork({ pool }: Database): Promise<Found> {
  const { rows } = await pool.query<Found>({ name: 'work-beside', text: WAITING });
  const [found] = rows;
  if (found === undefined) throw new Error('the database answered nothing');
  return found;
}
