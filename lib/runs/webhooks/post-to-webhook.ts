import { findWebhook } from '#lib/db/find-webhook.ts';
import type { Workshop } from '../workshop.ts';
import { type Delivery, type SendLimits, sendWebhook } from './send-webhook.ts';
import { unsealSecret } from './webhook-view.ts';

/** What posting to a webhook by its name came to; without one of that name `delivery` is null. `problem` is a sentence for people. */
export type Posted =
  | { ok: true; json: unknown; latencyMs: number }
  | { ok: false; problem: string; remedy: string; delivery: Extract<Delivery, { ok: false }> | null };

/** Posts a body to the webhook of a name, signed with its secret. */
export async function postToWebhook(
  workshop: Pick<Workshop, 'database' | 'secret' | 'addresses'>,
  name: string,
  body: unknown,
  options: { signal: AbortSignal; limits?: SendLimits },
): Promise<Posted> {
  const stored = await findWebhook(workshop.database, name);
  const shown = `The webhook ${JSON.stringify(name)}`;
  if (stored === null)
    return {
      ok: false,
      problem: `${shown} is not there.`,
      remedy: 'Add it under Settings, or name another one.',
      delivery: null,
    };
  const secret = unsealSecret(workshop, stored);
  if (secret === null)
    return {
      ok: false,
      problem: `${shown} has a secret that was sealed with another key of this installation.`,
      remedy: 'Give it a new secret under Settings.',
      delivery: null,
    };
  const delivery = await sendWebhook({ name, url: stored.url, secret }, body, {
    rules: workshop.addresses,
    ...options,
  });
  if (delivery.ok) return { ok: true, json: delivery.json, latencyMs: delivery.latencyMs };
  const times = delivery.attempts > 1 ? ` Tried ${delivery.attempts} times.` : '';
  return { ok: false, problem: `${shown} ${delivery.message}${times}`, remedy: delivery.remedy, delivery };
}
