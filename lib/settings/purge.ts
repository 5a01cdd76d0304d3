import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { addToPurgeTally, type Purger } from './purge-tally.ts';
import { NOTHING_PURGED, type Purged, REMOVED_TEXT, type Retention } from './retention.ts';

/** Rows that go in one transaction: short locks, and what was done stays done when it is broken off. */
const ROWS_AT_ONCE = 2_000;

const DAY_MS = 86_400_000;

/** `of`: rows of a run that ended before $1. Re-scores and looks back that wait still need their journal. */
const ENDED_RUN = `EXISTS (SELECT 1 FROM runs r WHERE r.id = x.run_id AND r.status IN ('finished', 'failed', 'stopped') AND r.finished_at < $1
  AND NOT EXISTS (SELECT 1 FROM rescores w WHERE w.run_id = r.id AND w.status = 'waiting')
  AND NOT EXISTS (SELECT 1 FROM retrospectives w WHERE w.run_id = r.id AND w.status = 'waiting'))`;

/** One kind of rows: which are due ($1 = the moment before which they are, $2 = what stands where a text was), and what is done with them. */
type Kind = { name: keyof Purged; days: keyof Retention; table: string; due: string; purge: 'delete' | string };

const KINDS: readonly Kind[] = [
  {
    name: 'callTexts',
    days: 'callTextDays',
    table: 'model_calls',
    due: `x.created_at < $1 AND x.prompt <> $2 AND ${ENDED_RUN}`,
    // Without its fingerprint no resumed run takes it for an answer.
    purge: `fingerprint = '', instructions = '', prompt = $2, text = CASE WHEN x.text IS NULL THEN NULL ELSE $2 END,
      conversation = NULL, tool_calls = NULL, thought = NULL`,
  },
  {
    name: 'paidReplies',
    days: 'callTextDays',
    table: 'paid_replies',
    due: `x.created_at < $1 AND $2::text IS NOT NULL AND (x.run_id IS NULL OR ${ENDED_RUN})`,
    purge: 'delete',
  },
  {
    name: 'runEvents',
    days: 'runEventDays',
    table: 'run_events',
    due: `$2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: 'delete',
  },
  {
    name: 'webhookDeliveries',
    days: 'webhookDeliveryDays',
    table: 'webhook_deliveries',
    due: `x.created_at < $1 AND x.next_try_at IS NULL AND $2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: 'delete',
  },
  {
    name: 'toolResults',
    days: 'toolResultDays',
    table: 'tool_results',
    due: `$2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: 'delete',
  },
  {
    name: 'toolResults',
    days: 'toolResultDays',
    table: 'agent_observations',
    due: `x.text <> $2 AND ${ENDED_RUN}`,
    purge: 'text = $2',
  },
];

/** How many rows `retention` would purge at `now`; with `most`, no more than so many of each table are counted. */
export async function countDue(
  { pool }: Pick<Database, 'pool'>,
  retention: Retention,
  now: Date,
  most: number | null = null,
): Promise<Purged> {
  const due = { ...NOTHING_PURGED };
  for (const kind of KINDS) {
    const before = momentBefore(retention[kind.days], now);
    if (before === null) continue;
    const { rows } = await pool.query<{ due: number }>(
      `SELECT count(*)::int AS due FROM (SELECT 1 FROM ${kind.table} x WHERE ${kind.due} LIMIT $3) counted`,
      [before, REMOVED_TEXT, most],
    );
    due[kind.name] += rows[0]?.due ?? 0;
  }
  return due;
}

/**
 * Purges what is due at `now`, a few rows at a time, and answers how many of each kind; what others are changing is left for the next time.
 * All of it is counted for `actor` (`takePurgeTally`).
 */
export async function purge(
  database: Pick<Database, 'pool'>,
  actor: Purger,
  { retention, now }: { retention: Retention; now: Date },
  signal: AbortSignal,
): Promise<Purged> {
  const purged = { ...NOTHING_PURGED };
  for (const kind of KINDS) {
    const before = momentBefore(retention[kind.days], now);
    if (before === null) continue;
    const chosen = `SELECT x.ctid FROM ${kind.table} x WHERE ${kind.due} LIMIT ${ROWS_AT_ONCE} FOR UPDATE SKIP LOCKED`;
    const statement =
      kind.purge === 'delete'
        ? `DELETE FROM ${kind.table} x WHERE x.ctid = ANY (ARRAY(${chosen}))`
        : `UPDATE ${kind.table} x SET ${kind.purge} WHERE x.ctid = ANY (ARRAY(${chosen}))`;
    for (;;) {
      if (signal.aborted) return purged;
      const rows = await inTransaction(database, async (client) => {
        const { rowCount } = await client.query(statement, [before, REMOVED_TEXT]);
        const removed = rowCount ?? 0;
        if (removed > 0) await addToPurgeTally(client, actor, { kind: kind.name, rows: removed, now });
        return removed;
      });
      purged[kind.name] += rows;
      if (rows < ROWS_AT_ONCE) break;
    }
  }
  return purged;
}

function momentBefore(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}
