import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { ROLES } from '#lib/auth/role.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { cleanText, storableJson } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type StopAllState, stopAllInputSchema, stopAllStateSchema, type UnfinishedCounts } from './schema.ts';
import { stopRun } from './stop-run.ts';

const KEY = 'stop_all';

/** As it is kept: who asked, and up to which run. */
const stopAllSchema = stopAllStateSchema.extend({
  id: z.guid(),
  actor: z.object({
    id: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    memberId: z.string().optional(),
    entry: z.string().optional(),
    address: z.string().optional(),
  }),
  /** Runs that were started later are left alone. */
  upToNumber: z.int(),
});
export type StopAll = z.infer<typeof stopAllSchema>;

/** How long one process works at it without saying so again, in milliseconds: after a crash another one goes on. */
const LEASE_MS = 15_000;

/** How many runs are queued, under way and waiting for a person, and the highest number of a run. */
export async function countUnfinished({
  pool,
}: Pick<Database, 'pool'>): Promise<UnfinishedCounts & { upToNumber: number }> {
  const { rows } = await pool.query<UnfinishedCounts & { upToNumber: number }>(
    `SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued, count(*) FILTER (WHERE status = 'running')::int AS running,
       count(*) FILTER (WHERE status = 'waiting')::int AS waiting, (SELECT coalesce(max(number), 0) FROM runs) AS "upToNumber"
     FROM runs WHERE status IN ('queued', 'running', 'waiting')`,
  );
  return rows[0] ?? { queued: 0, running: 0, waiting: 0, upToNumber: 0 };
}

/** Keeps what is to be stopped, held by nobody; what was asked for before is part of it. */
async function writeStopAll(client: pg.PoolClient, stopAll: StopAll): Promise<void> {
  await client.query(
    `INSERT INTO installation_settings (key, value, updated_by, updated_at) VALUES ($1, $2::jsonb, $3, $4)
     ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
    [KEY, storableJson(stopAll), cleanText(stopAll.askedBy), new Date(stopAll.askedAt)],
  );
}

/** The last that was asked for; null where nobody ever did. */
export async function findStopAll({ prisma }: Pick<Database, 'prisma'>): Promise<StopAll | null> {
  const row = await prisma.installationSetting.findUnique({ where: { key: KEY } });
  return row === null ? null : stopAllSchema.parse(row.value);
}

/** As much of it as anybody may see. */
export function stateOf({ askedBy, askedAt, waiting, total, stopped, doneAt }: StopAll): StopAllState {
  return { askedBy, askedAt, waiting, total, stopped, doneAt };
}

/** Takes what is under way for `holder`, or holds it on; null where nothing is, or another process has it. */
async function holdStopAll({ pool }: Pick<Database, 'pool'>, holder: string): Promise<StopAll | null> {
  const { rows } = await pool.query<{ value: unknown }>(
    `UPDATE installation_settings
     SET value = value || jsonb_build_object('heldBy', $2::text, 'heldUntil', now() + $3 * interval '1 millisecond')
     WHERE key = $1 AND value->>'doneAt' IS NULL
       AND (value->>'heldBy' IS NULL OR value->>'heldBy' = $2 OR (value->>'heldUntil')::timestamptz < now())
     RETURNING value`,
    [KEY, holder, LEASE_MS],
  );
  return rows[0] === undefined ? null : stopAllSchema.parse(rows[0].value);
}

/** Adds to how many were stopped; with `doneAt`, it is over. Does nothing when something else was asked for meanwhile. */
async function noteStopped(
  { pool }: Pick<Database, 'pool'>,
  { id, stopped, doneAt }: { id: string; stopped: number; doneAt: Date | null },
): Promise<void> {
  await pool.query(
    `UPDATE installation_settings
     SET value = value || jsonb_build_object('stopped', (value->>'stopped')::int + $3::int) || CASE WHEN $4::text IS NULL THEN '{}' ELSE jsonb_build_object('doneAt', $4::text) END
     WHERE key = $1 AND value->>'id' = $2`,
    [KEY, id, stopped, doneAt?.toISOString() ?? null],
  );
}

/** Runs that are still to be stopped but these, those that no worker has begun first. */
async function nextToStop(
  { pool }: Pick<Database, 'pool'>,
  { waiting, upToNumber }: Pick<StopAll, 'waiting' | 'upToNumber'>,
  tried: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM runs WHERE status = ANY ($1::text[]) AND number <= $2 AND NOT id = ANY ($3::uuid[])
     ORDER BY array_position($1::text[], status), number LIMIT $4`,
    [waiting ? ['queued', 'running', 'waiting'] : ['queued', 'running'], upToNumber, tried, limit],
  );
  return rows.map(({ id }) => id);
}

/** Takes the queue's jobs of the runs that no worker has begun, so that none begins while they are stopped one after another. */
async function holdBackQueued(client: pg.PoolClient, upToNumber: number): Promise<void> {
  await client.query(
    `DELETE FROM pgboss.job WHERE name = 'runs' AND state < 'active'
       AND singleton_key IN (SELECT id::text FROM runs WHERE status = 'queued' AND number <= $1)`,
    [upToNumber],
  );
}

/**
 * Asks for all runs to be stopped that are queued or under way now, and on request those that wait for a person. From then on none that is queued
 * begins; workers stop them one by one (`continueStopAll`), each as if somebody had stopped it alone, so each can be resumed. What is asked for
 * is stored: a kill in the middle changes nothing. Answers how many they are.
 */
export async function stopAllRuns(context: AppContext, actor: Actor, input: unknown): Promise<Result<StopAllState>> {
  const parsed = parseInput(stopAllInputSchema, input);
  if (!parsed.ok) return parsed;
  const { database, now, newId } = context;
  const [counts, before] = await Promise.all([countUnfinished(database), findStopAll(database)]);
  const isUnderWay = before !== null && before.doneAt === null;
  const waiting = parsed.value.waiting || (isUnderWay && before.waiting);
  const total = counts.queued + counts.running + (waiting ? counts.waiting : 0);
  const { id, name, role, memberId, entry, address } = actor;
  const asked = {
    id: newId(),
    actor: { id, name, role, memberId, entry, address },
    askedBy: name,
    askedAt: now().toISOString(),
    waiting,
    total,
    stopped: 0,
    doneAt: total === 0 ? now().toISOString() : null,
    upToNumber: counts.upToNumber,
  };
  await inPoolTransaction(database, async (client) => {
    await writeStopAll(client, asked);
    await holdBackQueued(client, counts.upToNumber);
    await recordChange(client, actor, {
      act: 'stopped',
      subject: { kind: 'batch', name: 'all runs' },
      change: { runs: total, waiting },
    });
  });
  return succeed(stateOf(asked));
}

/** How many are worked on at the same time: the database has connections left for everybody else. */
const WIDTH = 4;

/** Does something for each of many, a few at a time; answers come in the order of the items. */
export async function forEachAtOnce<Item, Answer>(
  items: readonly Item[],
  act: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < items.length; from += WIDTH)
    answers.push(...(await Promise.all(items.slice(from, from + WIDTH).map(act))));
  return answers;
}

/** Runs that are stopped before it is said how far it is. */
const AT_ONCE = 40;

/**
 * Goes on with stopping all runs, where that was asked for and no other process does, until it is done or `signal` says so. A run that
 * cannot be stopped (it ended meanwhile) is passed over. Answers how many were stopped.
 */
export async function continueStopAll(context: AppContext, holder: string, signal: AbortSignal): Promise<number> {
  const { database, now } = context;
  const tried = new Set<string>();
  let stopped = 0;
  while (!signal.aborted) {
    const stopAll = await holdStopAll(database, holder);
    if (stopAll === null) break;
    const runIds = await nextToStop(database, stopAll, [...tried], AT_ONCE);
    const done = await forEachAtOnce(runIds, (runId) => stopRun(context, stopAll.actor, runId));
    const count = done.filter(({ ok }) => ok).length;
    stopped += count;
    for (const runId of runIds) tried.add(runId);
    const isDone = runIds.length < AT_ONCE;
    await noteStopped(database, { id: stopAll.id, stopped: count, doneAt: isDone ? now() : null });
    if (isDone) break;
  }
  return stopped;
}
