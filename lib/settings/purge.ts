import { z } from 'zod';
import { AUDIT_ACTOR_KINDS } from '#lib/audit/schema.ts';
import { TOKEN_SCOPES } from '#lib/auth/actor.ts';
import { type AuditActor, recordChange } from '#lib/auth/record-change.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { AppContext, TimedContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { tryLock } from '#lib/database/locks.ts';
import { cleanJson, cleanText } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { findSetting, LAST_PURGE, RETENTION_SETTING, writeSetting } from './installation-settings.ts';
import { NOTHING_PURGED, type Purged, purgedSchema, REMOVED_TEXT, type Retention } from './schema.ts';
import { removeUnusedPrompts } from './unused-prompts.ts';

const KEY = 'purge_under_way';

/** The person who requested the purge, as recorded in the audit log. */
const purgerSchema = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES).nullable(),
  via: z.enum(AUDIT_ACTOR_KINDS).optional(),
  scopes: z.array(z.enum(TOKEN_SCOPES)).readonly().optional(),
  entry: z.string().optional(),
  address: z.string().optional(),
});
type Purger = z.infer<typeof purgerSchema>;

/** Purged rows that are not in the audit log yet. */
const tallySchema = z.object({ actor: purgerSchema, purged: purgedSchema });
type PurgeTally = z.infer<typeof tallySchema>;

/** Counts rows purged in the same transaction, so that a crash cannot lose the record of removed rows. Only one purge runs at a time. */
async function addToPurgeTally(
  transaction: Transaction,
  actor: Purger,
  { kind, rows, now }: { kind: keyof Purged; rows: number; now: Date },
): Promise<void> {
  const found = await transaction.installationSetting.findUnique({ where: { key: KEY } });
  const tally: PurgeTally =
    found === null
      ? cleanJson({ actor: purgerSchema.parse(actor), purged: { ...NOTHING_PURGED } })
      : tallySchema.parse(found.value);
  tally.purged[kind] += rows;
  await transaction.installationSetting.upsert({
    where: { key: KEY },
    create: { key: KEY, value: tally, updatedBy: cleanText(actor.name), updatedAt: now },
    update: { value: tally, updatedAt: now },
  });
}

/** Deletes and returns the tally, in the transaction that writes it to the audit log. Null if nothing was counted. */
async function takePurgeTally(transaction: Transaction): Promise<PurgeTally | null> {
  const found = await transaction.installationSetting.findUnique({ where: { key: KEY } });
  if (found === null) return null;
  await transaction.installationSetting.delete({ where: { key: KEY } });
  return tallySchema.parse(found.value);
}

/** Number of rows purged in one transaction. Keeps locks short, and an interrupted purge keeps its progress. */
const ROWS_AT_ONCE = 2_000;

const DAY_MS = 86_400_000;

/**
 * Returns SQL that is true if the run with this ID ended before $1. Runs with waiting re-scores, retrospectives or ablations are excluded,
 * because these still need the journal.
 */
const ended = (
  id: string,
) => `EXISTS (SELECT 1 FROM runs r WHERE r.id = ${id} AND r.status IN ('finished', 'failed', 'stopped') AND r.finished_at < $1
  AND NOT EXISTS (SELECT 1 FROM rescores w WHERE w.run_id = r.id AND w.status = 'waiting')
  AND NOT EXISTS (SELECT 1 FROM retrospectives w WHERE w.run_id = r.id AND w.status = 'waiting')
  AND NOT EXISTS (SELECT 1 FROM ablations w WHERE w.run_id = r.id AND w.status = 'waiting'))`;
const ENDED_RUN = ended('x.run_id');

/**
 * One kind of rows: a condition for those due, and the action on them. $1 is the time before which rows are due. $2 is the replacement for
 * removed texts.
 */
type Kind = { name: keyof Purged; days: keyof Retention; table: string; due: string; purge: 'delete' | string };

const KINDS: readonly Kind[] = [
  {
    name: 'callTexts',
    days: 'callTextDays',
    table: 'model_calls',
    due: `x.created_at < $1 AND x.prompt <> $2 AND ${ENDED_RUN}`,
    // Without its fingerprint, a resumed run cannot reuse the call as a response.
    purge: `fingerprint = '', instructions = '', prompt = $2, text = CASE WHEN x.text IS NULL THEN NULL ELSE $2 END,
      quotes = NULL, answered = NULL, like_step = NULL, kept = NULL, shared_prompt_id = NULL, conversation = NULL, tool_calls = NULL, thought = NULL`,
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
    name: 'runEvents',
    days: 'runEventDays',
    table: 'run_event_pages',
    due: `$2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: 'delete',
  },
  {
    name: 'runEvents',
    days: 'runEventDays',
    table: 'runs',
    due: `$2::text IS NOT NULL AND (x.event_lines <> '' OR x.events <> '{}') AND ${ended('x.id')}`,
    purge: `event_lines = '', events = NULL`,
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
  {
    name: 'toolResults',
    days: 'toolResultDays',
    table: 'case_tries',
    due: `x.trace IS NOT NULL AND $2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: 'trace = NULL',
  },
  {
    name: 'toolResults',
    days: 'toolResultDays',
    table: 'reflection_versions',
    due: `coalesce(x.target->>'trace', '') <> '' AND $2::text IS NOT NULL AND ${ENDED_RUN}`,
    purge: `target = jsonb_set(x.target, '{trace}', '""')`,
  },
];

/** Returns the number of rows that `retention` would purge at `now`. `most` limits the count per table. */
export async function countDue(
  { prisma }: DatabaseClient,
  retention: Retention,
  now: Date,
  most: number | null = null,
): Promise<Purged> {
  const due = { ...NOTHING_PURGED };
  for (const kind of KINDS) {
    const before = momentBefore(retention[kind.days], now);
    if (before === null) continue;
    const rows = await prisma.$queryRawUnsafe<{ due: number }[]>(
      `SELECT count(*)::int AS due FROM (SELECT 1 FROM ${kind.table} x WHERE ${kind.due} LIMIT $3) counted`,
      ...[before, REMOVED_TEXT, most],
    );
    due[kind.name] += rows[0]?.due ?? 0;
  }
  return due;
}

/**
 * Purges the rows due at `now`, a few at a time, and returns the number of each kind. Locked rows are left for the next purge. Counts all
 * rows for `actor` (`takePurgeTally`).
 */
async function purge(
  database: DatabaseClient,
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
      const rows = await inTransaction(database, async (transaction) => {
        const removed = await transaction.$executeRawUnsafe(statement, before, REMOVED_TEXT);
        if (removed > 0) await addToPurgeTally(transaction, actor, { kind: kind.name, rows: removed, now });
        return removed;
      });
      purged[kind.name] += rows;
      if (rows < ROWS_AT_ONCE) break;
    }
  }
  if (purged.callTexts > 0) await removeUnusedPrompts(database);
  return purged;
}

function momentBefore(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/**
 * Removes expired data and records it in the audit log. If the process is killed before that, the next purge or `recordInterruptedPurge`
 * records it. Fails if another process is purging.
 */
export async function purgeDue(
  { database, now }: TimedContext,
  actor: AuditActor,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<Purged>> {
  const purged = await tryLock(database, 'purge', async () => {
    await recordTally(database);
    const setting = await findSetting(database, RETENTION_SETTING);
    const removed =
      setting === null
        ? { ...NOTHING_PURGED }
        : await purge(database, actor, { retention: setting.value, now: now() }, signal);
    const last = { value: { by: actor.name, purged: removed }, updatedBy: actor.name, updatedAt: now() };
    if (!signal.aborted) await writeSetting(database.prisma, LAST_PURGE, last);
    await recordTally(database);
    return removed;
  });
  return purged === null
    ? fail('conflict', 'A deletion is already in progress. Try again in a moment.')
    : succeed(purged);
}

/** Records in the audit log what a killed purge had removed, attributed to the person who requested it. */
export async function recordInterruptedPurge(database: AppContext['database']): Promise<void> {
  await tryLock(database, 'purge', () => recordTally(database));
}

function recordTally(database: AppContext['database']): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const tally = await takePurgeTally(transaction);
    if (tally === null) return;
    await recordChange(transaction, tally.actor, {
      act: 'purged',
      subject: { kind: 'setting', id: 'retention', name: 'Retention' },
      change: tally.purged,
    });
  });
}
