import { randomBytes } from 'node:crypto';
import type { AppContext } from '#lib/context/app-context.ts';
import { sealKey, unsealKey } from '#lib/system/sealed-key.ts';
import type { StoredWebhook } from './find-webhook.ts';

/** A webhook without its secret, with the experiments that name it. */
export type WebhookView = {
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
