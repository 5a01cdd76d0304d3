import type { AppContext } from '#lib/context/app-context.ts';
import { listStoredWebhooks } from './find-webhook.ts';
import { webhookUse } from './webhook-use.ts';
import { type WebhookView, webhookView } from './webhook-view.ts';

/** All webhooks by name, without their secrets, with the experiments that name them. */
export async function listWebhooks({ database }: Pick<AppContext, 'database'>): Promise<WebhookView[]> {
  const [webhooks, use] = await Promise.all([listStoredWebhooks(database), webhookUse(database)]);
  return webhooks.map((webhook) => webhookView(webhook, use[webhook.name] ?? []));
}
