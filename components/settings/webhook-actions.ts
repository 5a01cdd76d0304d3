import type { Result } from '#lib/core/problem.ts';
import type { WebhookDelivery } from '#lib/webhooks/schema.ts';

/** A webhook as the page shows it; its secret is never among it. */
export type ShownWebhook = {
  name: string;
  url: string;
  usedBy: { id: string; name: string }[];
  /** The latest. */
  deliveries: WebhookDelivery[];
};
export type WebhookTestOutcome = { ok: boolean; message: string; remedy?: string | undefined };

/** What the page can do with webhooks; `secret` is there only where one was just made. */
export type WebhookActions = {
  add: (input: unknown) => Promise<Result<{ secret: string | null }>>;
  change: (name: string, input: unknown) => Promise<Result<{ secret: string | null }>>;
  remove: (name: string) => Promise<Result<unknown>>;
  test: (name: string) => Promise<Result<WebhookTestOutcome>>;
  resend: (name: string, deliveryId: string) => Promise<Result<unknown>>;
};
