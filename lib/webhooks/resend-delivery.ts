import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { findDeliveryState, makeDeliveryDue } from './webhook-deliveries.ts';

/** Sends a delivery again, under its id and with all its tries before it, if its run still waits at the pause it tells of. */
export async function resendDelivery(
  { database }: AppContext,
  actor: Actor,
  delivery: { webhook: string; id: string },
): Promise<Result<{ id: string; state: 'waiting' }>> {
  const isId = z.guid().safeParse(delivery.id).success;
  const isDue =
    isId &&
    (await inTransaction(database, async (client) => {
      if (!(await makeDeliveryDue(client, delivery))) return false;
      await recordChange(client, actor, {
        act: 'resent',
        subject: { kind: 'webhook', name: delivery.webhook },
        change: { delivery: delivery.id },
      });
      return true;
    }));
  if (isDue) return succeed({ id: delivery.id, state: 'waiting' });
  const state = isId ? await findDeliveryState(database, delivery) : null;
  if (state === null)
    return fail('not_found', `There is no delivery with this id to the webhook ${JSON.stringify(delivery.webhook)}.`);
  if (state === 'sending') return fail('conflict', 'It is being sent just now. Wait for what comes of it.');
  return fail('conflict', 'Its run does not wait at this pause any more: there is nothing left to decide.');
}
