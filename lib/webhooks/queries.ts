import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { fail, type Refusal, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, DatabaseClient, Queryable } from '#lib/database/database.ts';
import type { Webhook } from '#lib/database/generated/client.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor, withIsoTimes } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { id, time } from '#lib/http/fields.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';
import { type DeliveryState, SHOWN_CHARACTERS, type WebhookDelivery } from './schema.ts';

/** A webhook as stored, with its secret encrypted. */
export type StoredWebhook = Webhook;

export async function findWebhook(database: Database, name: string): Promise<StoredWebhook | null> {
  return database.prisma.webhook.findUnique({ where: { name } });
}

export function webhookNotFound(name: string): Refusal {
  return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
}

/** Returns the experiments whose latest settings name each webhook, by webhook name. */
export async function webhookUse(database: Database): Promise<Record<string, { id: string; name: string }[]>> {
  const rows = await database.prisma.$queryRaw<{ webhook: string; id: string; name: string }[]>`
    SELECT DISTINCT n.webhook, x.id, x.name
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (
      SELECT c->'config'->>'name' AS webhook FROM jsonb_array_elements(v.settings->'criteria') AS c WHERE c->>'evaluator' = 'webhook'
      UNION ALL SELECT v.settings->'callbacks'->>'webhook') AS n
    WHERE n.webhook IS NOT NULL ORDER BY x.name, x.id`;
  const use: Record<string, { id: string; name: string }[]> = Object.create(null);
  for (const { webhook, ...experiment } of rows) {
    use[webhook] ??= [];
    use[webhook].push(experiment);
  }
  return use;
}

/** A webhook without its secret, with the experiments that use it. */
export const webhookViewSchema = z.object({
  name: z.string(),
  url: z.string(),
  usedBy: z.array(z.object({ id, name: z.string() })),
  createdAt: time,
  updatedAt: time,
});
export type WebhookView = z.infer<typeof webhookViewSchema>;
/** The response to a change. */
export const changedWebhookViewSchema = webhookViewSchema.extend({
  secret: z.string().nullable().meta({ description: 'Only returned when it was just created.' }),
});
export type ChangedWebhook = z.infer<typeof changedWebhookViewSchema>;

export function webhookView(webhook: StoredWebhook, usedBy: WebhookView['usedBy']): WebhookView {
  const { name, url, createdAt, updatedAt } = withIsoTimes(webhook);
  return { name, url, usedBy, createdAt, updatedAt };
}

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

export function sealSecret(context: Pick<AppContext, 'secret'>, name: string, secret: string): string {
  return sealKey(context.secret, boundTo(name), secret);
}

/** Returns the decrypted secret. Null if it was encrypted with another key of the installation. */
export function unsealSecret(context: Pick<AppContext, 'secret'>, webhook: StoredWebhook): string | null {
  return unsealKey(context.secret, boundTo(webhook.name), webhook.sealedSecret);
}

/** Provider names cannot contain a space, so a webhook's secret can never be decrypted as a provider's key. */
function boundTo(name: string): string {
  return `webhook ${name}`;
}

/** Returns all webhooks by name, without their secrets, with the experiments that use them. */
export async function listWebhooks({ database }: DatabaseContext): Promise<WebhookView[]> {
  const [webhooks, use] = await Promise.all([
    database.prisma.webhook.findMany({ orderBy: { name: 'asc' } }),
    webhookUse(database),
  ]);
  return webhooks.map((webhook) => webhookView(webhook, use[webhook.name] ?? []));
}

/** A delivery to store with its pause. One that is not to be sent has its outcome immediately. */
export type NewDelivery = {
  id: string;
  webhook: string;
  pauseId: string;
  state: 'waiting' | 'dropped';
  requestBody: string;
  outcome: string | null;
  createdAt: string;
};

/** A delivery leased to this process. `tries` includes the attempt that starts. */
export type ClaimedDelivery = {
  id: string;
  webhook: string;
  runId: string;
  pauseId: string;
  tries: number;
  requestBody: string;
  /** True if the run still waits at the pause. */
  isOpen: boolean;
};

/** Maximum delay of an attempt, in milliseconds. A later time was written before the clock was set back. */
const MAX_ATTEMPT_DELAY_MS = 900_000;

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
 * Claims due deliveries for `leaseMs`, longest overdue first. No other worker claims them until then, and after a crash another one does.
 * Uses the database's clock and an index, so the cost does not depend on the number of waiting runs.
 */
export async function claimDeliveries(
  { pool }: { pool: Queryable },
  {
    most,
    leaseMs,
    except,
    processId = null,
  }: { most: number; leaseMs: number; except: readonly string[]; processId?: string | null },
): Promise<ClaimedDelivery[]> {
  const { rows } = await pool.query<ClaimedDelivery>({
    name: 'take-deliveries',
    text: TAKE,
    values: [most, except, leaseMs, MAX_ATTEMPT_DELAY_MS, processId],
  });
  return rows;
}

/**
 * Makes deliveries that a dead process was sending due immediately. Null releases those of all processes, which only a process alone on its
 * database may do.
 */
export async function releaseDeliveriesOf(prisma: Transaction, processId: string | null): Promise<void> {
  await prisma.$executeRaw`
    UPDATE webhook_deliveries SET state = 'waiting', next_try_at = now()
    WHERE state = 'sending' AND next_try_at IS NOT NULL AND (${processId}::uuid IS NULL OR held_by = ${processId}::uuid)`;
}

export function releaseAllDeliveries(prisma: Transaction): Promise<void> {
  return releaseDeliveriesOf(prisma, null);
}

/** The result of an attempt. If `waitMs` is set, the next attempt follows after that time. */
export type Settled = {
  state: Exclude<DeliveryState, 'sending'>;
  waitMs: number | null;
  /** False if nothing was sent, so that it does not count as an attempt. */
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

/** Stores the result of an attempt, unless the lease expired and another worker has the delivery. */
export async function settleDelivery(
  { pool }: Pick<Database, 'pool'>,
  { id, tries }: Pick<ClaimedDelivery, 'id' | 'tries'>,
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

/** Returns the deliveries of a webhook with their outcomes, newest first. */
export async function listDeliveries(
  { prisma }: DatabaseClient,
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
  return pageOf(rows.map(withIsoTimes), options.limit, timeCursor);
}

/** Like `listDeliveries`, but fails if the webhook does not exist. */
export async function listWebhookDeliveries(
  { database }: DatabaseContext,
  name: string,
  options: { cursor: string | null; limit: number },
): Promise<Result<Page<WebhookDelivery>>> {
  if ((await findWebhook(database, name)) === null) return webhookNotFound(name);
  return succeed(await listDeliveries(database, name, options));
}

/**
 * Makes a delivery due immediately and resets its attempts. Returns false if it is being sent, or if its run no longer waits at that pause.
 */
export async function makeDeliveryDue(
  transaction: Transaction,
  { id, webhook }: { id: string; webhook: string },
): Promise<boolean> {
  const due = await transaction.$executeRaw`
    UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_try_at = now(), error = NULL, outcome = NULL
    FROM runs r WHERE d.id = ${id}::uuid AND d.webhook = ${webhook} AND d.state <> 'sending' AND r.id = d.run_id AND r.pause_id = d.pause_id`;
  return due === 1;
}
