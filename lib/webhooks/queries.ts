import { randomBytes } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import type { Webhook } from '#lib/database/generated/client.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';

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
