import { FEW_CHANGES } from './count-lessons.ts';
import type { Database } from './database.ts';

/** What there may be to do beside the runs: see `besideRuns`. */
export type WorkBeside = 'pauses' | 'deliveries' | 'lessons' | 'texts' | 'runTotals' | 'lessonTotals' | 'stopAll';

/** How long an answer holds, in milliseconds: those who look at the same moment share it, and the next look asks anew. */
const FRESH_MS = 900;

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
    EXISTS (SELECT 1 FROM installation_settings WHERE key = 'stop_all' AND value->>'doneAt' IS NULL) AS "stopAll"`;

type Known = { at: number; answer: Promise<Record<WorkBeside, boolean>> };
const known = new WeakMap<Database, Known>();

/**
 * Whether there is work of a kind, as of a moment ago. All kinds are looked up in one statement: a process with nothing to do asks its
 * database once a second, and not once for each kind.
 */
export async function hasWorkBeside(database: Database, kind: WorkBeside): Promise<boolean> {
  const asked = performance.now();
  const last = known.get(database);
  if (last !== undefined && asked - last.at < FRESH_MS) return (await last.answer)[kind];
  const answer = findWork(database);
  known.set(database, { at: asked, answer });
  // The next look asks again.
  answer.catch(() => known.delete(database));
  return (await answer)[kind];
}

async function findWork({ pool }: Database): Promise<Record<WorkBeside, boolean>> {
  const { rows } = await pool.query<Record<WorkBeside, boolean>>({ name: 'work-beside', text: WAITING });
  const [found] = rows;
  if (found === undefined) throw new Error('the database answered nothing');
  return found;
}
