import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/query-values.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { findWebhook } from './queries.ts';
import { type DeliveryState, SHOWN_CHARACTERS, type WebhookDelivery } from './schema.ts';

/** A delivery as it is stored with its pause; one that is not to be sent has its outcome at once. */
export type NewDelivery = {
  id: string;
  webhook: string;
  pauseId: string;
  state: 'waiting' | 'dropped';
  requestBody: string;
  outcome: string | null;
  createdAt: string;
};

/** A delivery that this process has for as long as its lease; `tries` counts the one that begins. */
export type TakenDelivery = {
  id: string;
  webhook: string;
  runId: string;
  pauseId: string;
  tries: number;
  requestBody: string;
  /** Whether the run still waits at the pause. */
  isOpen: boolean;
};

/** No try is ever put off by more than this, in milliseconds: what lies further ahead was written before the clock was put back. */
const FURTHEST_AHEAD_MS = 900_000;

const TAKE = `
  WITH pulled_back AS (
    UPDATE webhook_deliveries SET next_try_at = now() WHERE next_try_at > now() + $4 * interval '1 millisecond')
  UPDATE webhook_deliveries d SET state = 'sending', held_by = $5, tries = d.tries + 1, last_tried_at = now(), next_try_at = now() + $3 * interval '1 millisecond'
  WHERE d.id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE next_try_at <= now() AND webhook <> ALL ($2::text[])
    ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING d.id, d.webhook, d.run_id AS "runId", d.pause_id AS "pauseId", d.tries, d.request_body AS "requestBody",
    d.pause_id IS NOT DISTINCT FROM (SELECT r.pause_id FROM runs r WHERE r.id = d.run_id) AS "isOpen"`;

/**
 * Takes deliveries that are due, longest due first, for `leaseMs`: until then no other worker takes them, and after a crash one
 * does. Goes by the database's clock and an index: costs the same however many runs wait.
 */
export async function takeDeliveries(
  { pool }: { pool: Queryable },
  {
    most,
    leaseMs,
    except,
    processId = null,
  }: { most: number; leaseMs: number; except: readonly string[]; processId?: string | null },
): Promise<TakenDelivery[]> {
  const { rows } = await pool.query<TakenDelivery>({
    name: 'take-deliveries',
    text: TAKE,
    values: [most, except, leaseMs, FURTHEST_AHEAD_MS, processId],
  });
  return rows;
}

/** Makes due at once what a process that is gone was sending; null: what all processes were, only for the one process on its database. */
export async function releaseDeliveriesOf(prisma: Transaction, processId: string | null): Promise<void> {
  await prisma.$executeRaw`
    UPDATE webhook_deliveries SET state = 'waiting', next_try_at = now()
    WHERE state = 'sending' AND next_try_at IS NOT NULL AND (${processId}::uuid IS NULL OR held_by = ${processId}::uuid)`;
}

export function releaseAllDeliveries(prisma: Transaction): Promise<void> {
  return releaseDeliveriesOf(prisma, null);
}

/** What a try came to. With `waitMs` there is another one after so many milliseconds. */
export type Settled = {
  state: Exclude<DeliveryState, 'sending'>;
  waitMs: number | null;
  /** False: nothing was sent, so it does not count as a try. */
  isTried: boolean;
  responseStatus: number | null;
  response: string | null;
  error: string | null;
  outcome: string | null;
  durationMs: number | null;
};

const SETTLE = `
  UPDATE webhook_deliveries SET state = $3, next_try_at = now() + $4 * interval '1 millisecond', tries = $5, response_status = $6,
    response_body = $7, error = $8, outcome = $9, duration_ms = $10
  WHERE id = $1 AND tries = $2 AND state = 'sending'`;

/** Keeps what a try came to, unless the lease ran out and another worker has it. */
export async function settleDelivery(
  { pool }: Pick<Database, 'pool'>,
  { id, tries }: Pick<TakenDelivery, 'id' | 'tries'>,
  settled: Settled,
): Promise<void> {
  const { state, waitMs, isTried, responseStatus, response, error, outcome, durationMs } = settled;
  await pool.query({
    name: 'settle-delivery',
    text: SETTLE,
    values: [
      id,
      tries,
      state,
      waitMs,
      isTried ? tries : tries - 1,
      responseStatus,
      response === null ? null : cleanText(response.slice(0, SHOWN_CHARACTERS)),
      error === null ? null : cleanText(error),
      outcome === null ? null : cleanText(outcome),
      durationMs === null ? null : Math.round(durationMs),
    ],
  });
}

type ListedRow = Omit<WebhookDelivery, 'nextTryAt' | 'createdAt' | 'lastTriedAt'> & {
  nextTryAt: Date | null;
  createdAt: Date;
  lastTriedAt: Date | null;
};

/** What was sent to a webhook, newest first. */
export async function listDeliveries(
  { prisma }: Pick<Database, 'prisma'>,
  webhook: string,
  options: { cursor: string | null; limit: number },
): Promise<Page<WebhookDelivery>> {
  const after = readTimeCursor(options.cursor);
  const rows = await prisma.$queryRaw<ListedRow[]>`
    SELECT d.id, d.webhook, d.run_id AS "runId", r.number AS "runNumber", d.pause_id AS "pauseId", d.state, d.tries,
      d.next_try_at AS "nextTryAt", left(d.request_body, ${SHOWN_CHARACTERS}) AS request, d.response_status AS "responseStatus",
      d.response_body AS response, d.error, d.outcome, d.created_at AS "createdAt", d.last_tried_at AS "lastTriedAt",
      d.duration_ms AS "durationMs"
    FROM webhook_deliveries d JOIN runs r ON r.id = d.run_id
    WHERE d.webhook = ${webhook}
      AND (${after?.at ?? null}::timestamptz IS NULL OR (d.created_at, d.id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    ORDER BY d.created_at DESC, d.id DESC LIMIT ${options.limit + 1}`;
  const items = rows.map(({ nextTryAt, createdAt, lastTriedAt, ...row }) => ({
    ...row,
    nextTryAt: nextTryAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    lastTriedAt: lastTriedAt?.toISOString() ?? null,
  }));
  return pageOf(items, options.limit, timeCursor);
}

/** What a webhook was told of pauses and what came of it, newest first. */
export async function listWebhookDeliveries(
  { database }: Pick<AppContext, 'database'>,
  name: string,
  options: { cursor: string | null; limit: number },
): Promise<Result<Page<WebhookDelivery>>> {
  if ((await findWebhook(database, name)) === null)
    return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
  return succeed(await listDeliveries(database, name, options));
}

/** Makes a delivery due at once, with all its tries before it; false where it is being sent, or its run waits at that pause no more. */
async function makeDeliveryDue(
  transaction: Transaction,
  { id, webhook }: { id: string; webhook: string },
): Promise<boolean> {
  const due = await transaction.$executeRaw`
    UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_try_at = now(), error = NULL, outcome = NULL
    FROM runs r WHERE d.id = ${id}::uuid AND d.webhook = ${webhook} AND d.state <> 'sending' AND r.id = d.run_id AND r.pause_id = d.pause_id`;
  return due === 1;
}

/** The state of a delivery to a webhook; null when there is none of this id. */
async function findDeliveryState(
  { prisma }: Pick<Database, 'prisma'>,
  where: { id: string; webhook: string },
): Promise<string | null> {
  return (await prisma.webhookDelivery.findUnique({ where, select: { state: true } }))?.state ?? null;
}

/** Sends a delivery again, under its id and with all its tries before it, if its run still waits at the pause it tells of. */
export async function resendDelivery(
  { database }: AppContext,
  actor: Actor,
  delivery: { webhook: string; id: string },
): Promise<Result<{ id: string; state: 'waiting' }>> {
  const isId = z.guid().safeParse(delivery.id).success;
  const isDue =
    isId &&
    (await inTransaction(database, async (transaction) => {
      if (!(await makeDeliveryDue(transaction, delivery))) return false;
      await recordChange(transaction, actor, {
        act: 'resent',
        subject: { kind: 'webhook', name: delivery.webhook },
        change: { delivery: delivery.id },
      });
      return true;
    }));
  if (isDue) return succeed({ id: delivery.id, state: 'waiting' });
  const state = isId ? await findDeliveryState(database, { id: delivery.id, webhook: delivery.webhook }) : null;
  if (state === null)
    return fail('not_found', `There is no delivery with this id to the webhook ${JSON.stringify(delivery.webhook)}.`);
  if (state === 'sending') return fail('conflict', 'It is being sent just now. Wait for what comes of it.');
  return fail('conflict', 'Its run does not wait at this pause any more: there is nothing left to decide.');
}
