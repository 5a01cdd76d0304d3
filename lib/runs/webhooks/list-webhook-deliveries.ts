import { findWebhook } from '#lib/db/find-webhook.ts';
import { listDeliveries } from '#lib/db/list-deliveries.ts';
import type { Page } from '#lib/db/page.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { WebhookDelivery } from '#lib/reflection/webhook-delivery.ts';
import type { Workshop } from '../workshop.ts';

/** What a webhook was told of pauses and what came of it, newest first. */
export async function listWebhookDeliveries(
  { database }: Pick<Workshop, 'database'>,
  name: string,
  options: { cursor: string | null; limit: number },
): Promise<Result<Page<WebhookDelivery>>> {
  if ((await findWebhook(database, name)) === null)
    return fail('not_found', `There is no webhook named ${JSON.stringify(name)}.`);
  return succeed(await listDeliveries(database, name, options));
}
