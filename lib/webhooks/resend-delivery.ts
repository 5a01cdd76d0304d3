import { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { makeDeliveryDue } from './queries.ts';

/** Returns the state of a delivery to a webhook. Null if it does not exist. */
async function findDeliveryState(
  { prisma }: DatabaseClient,
  where: { id: string; webhook: string },
): Promise<string | null> {
  return (await prisma.webhookDelivery.findUnique({ where, select: { state: true } }))?.state ?? null;
}

/** Sends a delivery again with the same ID and its full number of attempts, if its run still waits at the pause. */
export async function resendDelivery(
  { database }: AppContext,
  actor: Actor,
  delivery: { webhook: string; id: string },
): Promise<Result<{ id: string; state: 'waiting' }>> {
  const isId = z.guid().safeParse(delivery.id).success;
  const isDue =
    isId &&
    (await inTransaction(database, async (transaction) => {
      if (!(await makeDeliveryDue(transaction, delivery))) return false;
      await recordChange(transaction, actor, {
        act: 'resent',
        subject: { kind: 'webhook', name: delivery.webhook },
        change: { delivery: delivery.id },
      });
      return true;
    }));
  if (isDue) return succeed({ id: delivery.id, state: 'waiting' });
  const state = isId ? await findDeliveryState(database, { id: delivery.id, webhook: delivery.webhook }) : null;
  if (state === null)
    return fail('not_found', `There is no delivery with this id to the webhook ${JSON.stringify(delivery.webhook)}.`);
  if (state === 'sending') return fail('conflict', 'It is being sent. Wait for the result.');
  return fail('conflict', 'Its run is no longer waiting at this pause, so there is nothing left to decide.');
}
