import type { AppContext } from '#lib/context/app-context.ts';
import { type Delivery, type SendLimits, sendWebhook } from './send-webhook.ts';
import { webhookTarget } from './webhook-target.ts';

/** What posting to a webhook by its name came to; without one of that name `delivery` is null. `problem` is a sentence for people. */
export type Posted =
  | { ok: true; json: unknown; latencyMs: number }
  | { ok: false; problem: string; remedy: string; delivery: Extract<Delivery, { ok: false }> | null };

/** Posts a body to the webhook of a name, signed with its secret. */
export async function postToWebhook(
  context: Pick<AppContext, 'database' | 'secret' | 'addresses'>,
  name: string,
  body: unknown,
  options: { signal: AbortSignal; limits?: SendLimits },
): Promise<Posted> {
  const found = await webhookTarget(context, name);
  if (!found.ok) return { ...found, delivery: null };
  const delivery = await sendWebhook(found.target, body, { rules: context.addresses, ...options });
  if (delivery.ok) return { ok: true, json: delivery.json, latencyMs: delivery.latencyMs };
  const times = delivery.attempts > 1 ? ` Tried ${delivery.attempts} times.` : '';
  const problem = `The webhook ${JSON.stringify(name)} ${delivery.message}${times}`;
  return { ok: false, problem, remedy: delivery.remedy, delivery };
}
