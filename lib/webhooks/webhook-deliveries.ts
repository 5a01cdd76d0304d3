import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { type DeliveryState, SHOWN_CHARACTERS, webhookDeliverySchema } from './schema.ts';

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

const takenRows = z.array(
  z
    .object({
      id: z.string(),
      webhook: z.string(),
      run_id: z.string(),
      pause_id: z.string(),
      tries: z.int(),
      request_body: z.string(),
      is_open: z.boolean(),
    })
    .transform(({ run_id, pause_id, request_body, is_open, ...rest }) => ({
      ...rest,
      runId: run_id,
      pauseId: pause_id,
      requestBody: request_body,
      /** Whether the run still waits at the pause. */
      isOpen: is_open,
    })),
);
/** A delivery that this process has for as long as its lease; `tries` counts the one that begins. */
export type TakenDelivery = z.infer<typeof takenRows>[number];

/** No try is ever put off by more than this, in milliseconds: what lies further ahead was written before the clock was put back. */
const FURTHEST_AHEAD_MS = 900_000;

const TAKE = `
  WITH pulled_back AS (
    UPDATE webhook_deliveries SET next_try_at = now() WHERE next_try_at > now() + $4 * interval '1 millisecond')
  UPDATE webhook_deliveries d SET state = 'sending', held_by = $5, tries = d.tries + 1, last_tried_at = now(), next_try_at = now() + $3 * interval '1 millisecond'
  WHERE d.id = ANY (ARRAY(
    SELECT id FROM webhook_deliveries WHERE next_try_at <= now() AND webhook <> ALL ($2::text[])
    ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING d.id, d.webhook, d.run_id, d.pause_id, d.tries, d.request_body,
    d.pause_id IS NOT DISTINCT FROM (SELECT r.pause_id FROM runs r WHERE r.id = d.run_id) AS is_open`;

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
  const { rows } = await pool.query({
    name: 'take-deliveries',
    text: TAKE,
    values: [most, except, leaseMs, FURTHEST_AHEAD_MS, processId],
  });
  return takenRows.parse(rows);
}

/** Makes due at once what a process that is gone was sending. */
export async function releaseDeliveriesOf({ pool }: { pool: Queryable }, processId: string): Promise<void> {
  await pool.query(
    "UPDATE webhook_deliveries SET state = 'waiting', next_try_at = now() WHERE held_by = $1 AND state = 'sending' AND next_try_at IS NOT NULL",
    [processId],
  );
}

/** Makes due at once what dead processes were sending. Only for the one process on its database. */
export async function releaseAllDeliveries({ pool }: { pool: Queryable }): Promise<void> {
  await pool.query(
    "UPDATE webhook_deliveries SET state = 'waiting', next_try_at = now() WHERE state = 'sending' AND next_try_at IS NOT NULL",
  );
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

const RESEND = `
  UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_try_at = now(), error = NULL, outcome = NULL
  FROM runs r WHERE d.id = $1 AND d.webhook = $2 AND d.state <> 'sending' AND r.id = d.run_id AND r.pause_id = d.pause_id`;

/** Makes a delivery due at once, with all its tries before it; false where it is being sent, or its run waits at that pause no more. */
async function makeDeliveryDue(
  client: pg.PoolClient,
  { id, webhook }: { id: string; webhook: string },
): Promise<boolean> {
  const { rowCount } = await client.query(RESEND, [id, webhook]);
  return rowCount === 1;
}

/** The state of a delivery to a webhook; null when there is none of this id. */
async function findDeliveryState(
  { pool }: Pick<Database, 'pool'>,
  { id, webhook }: { id: string; webhook: string },
): Promise<DeliveryState | null> {
  const { rows } = await pool.query<{ state: unknown }>(
    'SELECT state FROM webhook_deliveries WHERE id = $1 AND webhook = $2',
    [id, webhook],
  );
  return rows[0] === undefined ? null : webhookDeliverySchema.shape.state.parse(rows[0].state);
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
    (await inPoolTransaction(database, async (client) => {
      if (!(await makeDeliveryDue(client, delivery))) return false;
      await recordChange(client, actor, {
        act: 'resent',
        subject: { kind: 'webhook', name: delivery.webhook },
        change: { delivery: delivery.id },
      });
      return true;
    }));
  if (isDue) return succeed({ id: delivery.id, state: 'waiting' });
  const state = isId ? await findDeliveryState(database, delivery) : null;
  if (state === null)
    return fail('not_found', `There is no delivery with this id to the webhook ${JSON.stringify(delivery.webhook)}.`);
  if (state === 'sending') return fail('conflict', 'It is being sent just now. Wait for what comes of it.');
  return fail('conflict', 'Its run does not wait at this pause any more: there is nothing left to decide.');
}
