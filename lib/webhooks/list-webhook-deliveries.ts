import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Page } from '#lib/database/page.ts';
import { findWebhook } from './find-webhook.ts';
import { listDeliveries } from './list-deliveries.ts';
import type { WebhookDelivery } from './webhook-delivery.ts';

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
