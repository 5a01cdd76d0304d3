import type pg from 'pg';
import type { Prisma } from '#lib/database/generated/client.ts';
import { type StoredWebhook, toStoredWebhook } from './find-webhook.ts';

/** Stores a new webhook; false when the name is taken. */
export async function insertWebhook(transaction: Prisma.TransactionClient, webhook: StoredWebhook): Promise<boolean> {
  const { count } = await transaction.webhook.createMany({ data: [webhook], skipDuplicates: true });
  return count === 1;
}

/** Changes a webhook and answers it as it is then; null when it is gone. */
export async function changeWebhook(
  transaction: Prisma.TransactionClient,
  name: string,
  change: Partial<Pick<StoredWebhook, 'url' | 'sealedSecret'>>,
  now: Date,
): Promise<StoredWebhook | null> {
  const data = { ...change, updatedAt: now };
  const [row] = await transaction.webhook.updateManyAndReturn({ where: { name }, data });
  return row === undefined ? null : toStoredWebhook(row);
}

/** Deletes a webhook with the deliveries to it; false when it was gone. */
export async function deleteStoredWebhook(client: pg.PoolClient, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'WITH deliveries AS (DELETE FROM webhook_deliveries WHERE webhook = $1) DELETE FROM webhooks WHERE name = $1',
    [name],
  );
  return rowCount === 1;
}
