import { randomBytes } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import type { Webhook } from '#lib/database/generated/client.ts';
import { cleanText, type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/query-values.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';
import { type DeliveryState, SHOWN_CHARACTERS, type WebhookDelivery } from './schema.ts';

/** A webhook as stored: its secret sealed. */
export type StoredWebhook = Webhook;

export async function findWebhook(database: Database, name: string): Promise<StoredWebhook | null> {
  return database.prisma.webhook.findUnique({ where: { name } });
}

/** The experiments whose latest settings name each webhook, by name. */
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

/** A webhook without its secret, with the experiments that name it. */
type WebhookView = {
  name: string;
  url: string;
  usedBy: { id: string; name: string }[];
  createdAt: string;
  updatedAt: string;
};
/** The answer to a change: `secret` only where it was just made, this once. */
export type ChangedWebhook = WebhookView & { secret: string | null };

export function webhookView(webhook: StoredWebhook, usedBy: WebhookView['usedBy']): WebhookView {
  const { name, url, createdAt, updatedAt } = webhook;
  return { name, url, usedBy, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}

export function sealSecret(context: Pick<AppContext, 'secret'>, name: string, secret: string): string {
  return sealKey(context.secret, boundTo(name), secret);
}

/** Null when it was sealed with another key of the installation. */
export function unsealSecret(context: Pick<AppContext, 'secret'>, webhook: StoredWebhook): string | null {
  return unsealKey(context.secret, boundTo(webhook.name), webhook.sealedSecret);
}

/** No provider's name holds a space: a webhook's secret never opens as a provider's key. */
function boundTo(name: string): string {
  return `webhook ${name}`;
}

/** All webhooks by name, without their secrets, with the experiments that name them. */
export async function listWebhooks({ database }: Pick<AppContext, 'database'>): Promise<WebhookView[]> {
  const [webhooks, use] = await Promise.all([
    database.prisma.webhook.findMany({ orderBy: { name: 'asc' } }),
    webhookUse(database),
  ]);
  return webhooks.map((webhook) => webhookView(webhook, use[webhook.name] ?? []));
}

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

/** What a webhook was told of pauses and what came of it, newest first. */
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

/** As `listDeliveries`; refused where there is no such webhook. */
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
export async function makeDeliveryDue(
  transaction: Transaction,
  { id, webhook }: { id: string; webhook: string },
): Promise<boolean> {
  const due = await transaction.$executeRaw`
    UPDATE webhook_deliveries d SET state = 'waiting', tries = 0, next_try_at = now(), error = NULL, outcome = NULL
    FROM runs r WHERE d.id = ${id}::uuid AND d.webhook = ${webhook} AND d.state <> 'sending' AND r.id = d.run_id AND r.pause_id = d.pause_id`;
  return due === 1;
}
