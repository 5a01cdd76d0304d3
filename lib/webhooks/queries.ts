import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf, readTimeCursor, timeCursor } from '#lib/database/query-values.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';
import { SHOWN_CHARACTERS, type WebhookDelivery, webhookDeliverySchema } from './schema.ts';

const storedWebhook = z.object({
  name: z.string(),
  url: z.string(),
  sealedSecret: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** A webhook as stored: its secret sealed. */
export type StoredWebhook = z.infer<typeof storedWebhook>;

/** A webhook's row as it is read. */
export function toStoredWebhook(row: unknown): StoredWebhook {
  return storedWebhook.parse(row);
}

export async function findWebhook(database: Database, name: string): Promise<StoredWebhook | null> {
  const row = await database.prisma.webhook.findUnique({ where: { name } });
  return row === null ? null : toStoredWebhook(row);
}

/** All webhooks by name. */
async function listStoredWebhooks(database: Database): Promise<StoredWebhook[]> {
  const rows = await database.prisma.webhook.findMany({ orderBy: { name: 'asc' } });
  return rows.map(toStoredWebhook);
}

const moment = z.date().transform((date) => date.toISOString());
const listedRows = z.array(
  z
    .object({
      id: z.string(),
      webhook: z.string(),
      run_id: z.string(),
      run_number: z.int(),
      pause_id: z.string(),
      state: webhookDeliverySchema.shape.state,
      tries: z.int(),
      next_try_at: moment.nullable(),
      request: z.string(),
      response_status: z.int().nullable(),
      response_body: z.string().nullable(),
      error: z.string().nullable(),
      outcome: z.string().nullable(),
      created_at: moment,
      last_tried_at: moment.nullable(),
      duration_ms: z.int().nullable(),
    })
    .transform(
      (row): WebhookDelivery => ({
        id: row.id,
        webhook: row.webhook,
        runId: row.run_id,
        runNumber: row.run_number,
        pauseId: row.pause_id,
        state: row.state,
        tries: row.tries,
        nextTryAt: row.next_try_at,
        request: row.request,
        responseStatus: row.response_status,
        response: row.response_body,
        error: row.error,
        outcome: row.outcome,
        createdAt: row.created_at,
        lastTriedAt: row.last_tried_at,
        durationMs: row.duration_ms,
      }),
    ),
);

const LIST = `
  SELECT d.id, d.webhook, d.run_id, r.number AS run_number, d.pause_id, d.state, d.tries, d.next_try_at, left(d.request_body, ${SHOWN_CHARACTERS}) AS request,
    d.response_status, d.response_body, d.error, d.outcome, d.created_at, d.last_tried_at, d.duration_ms
  FROM webhook_deliveries d JOIN runs r ON r.id = d.run_id
  WHERE d.webhook = $1 AND ($2::timestamptz IS NULL OR (d.created_at, d.id) < ($2, $3::uuid))
  ORDER BY d.created_at DESC, d.id DESC LIMIT $4`;

/** What was sent to a webhook, newest first. */
export async function listDeliveries(
  { pool }: Pick<Database, 'pool'>,
  webhook: string,
  options: { cursor: string | null; limit: number },
): Promise<Page<WebhookDelivery>> {
  const after = readTimeCursor(options.cursor);
  const { rows } = await pool.query(LIST, [webhook, after?.at ?? null, after?.id ?? null, options.limit + 1]);
  return pageOf(listedRows.parse(rows), options.limit, timeCursor);
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

/** The experiments whose latest settings name each webhook, by name. */
export async function webhookUse(database: Database): Promise<Record<string, { id: string; name: string }[]>> {
  const { rows } = await database.pool.query<{ webhook: string; id: string; name: string }>(`
    SELECT DISTINCT n.webhook, x.id, x.name
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (
      SELECT c->'config'->>'name' AS webhook FROM jsonb_array_elements(v.settings->'criteria') AS c WHERE c->>'evaluator' = 'webhook'
      UNION ALL SELECT v.settings->'callbacks'->>'webhook') AS n
    WHERE n.webhook IS NOT NULL ORDER BY x.name, x.id`);
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
  const [webhooks, use] = await Promise.all([listStoredWebhooks(database), webhookUse(database)]);
  return webhooks.map((webhook) => webhookView(webhook, use[webhook.name] ?? []));
}
