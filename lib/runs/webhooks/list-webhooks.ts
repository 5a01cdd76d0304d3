import { listStoredWebhooks } from '#lib/db/find-webhook.ts';
import { webhookUse } from '#lib/db/webhook-use.ts';
import type { Workshop } from '../workshop.ts';
import { type WebhookView, webhookView } from './webhook-view.ts';

/** All webhooks by name, without their secrets, with the experiments that name them. */
export async function listWebhooks({ database }: Pick<Workshop, 'database'>): Promise<WebhookView[]> {
  const [webhooks, use] = await Promise.all([listStoredWebhooks(database), webhookUse(database)]);
  return webhooks.map((webhook) => webhookView(webhook, use[webhook.name] ?? []));
}
