import type { Database } from './database.ts';
import type { StoredWebhook } from './find-webhook.ts';

/** Stores a new webhook; false when the name is taken. */
export async function insertWebhook(database: Database, webhook: StoredWebhook): Promise<boolean> {
  const { count } = await database.prisma.webhook.createMany({ data: [webhook], skipDuplicates: true });
  return count === 1;
}

/** Changes a webhook; false when it is gone. */
export async function changeWebhook(
  database: Database,
  name: string,
  change: Partial<Pick<StoredWebhook, 'url' | 'sealedSecret'>>,
  now: Date,
): Promise<boolean> {
  const { count } = await database.prisma.webhook.updateMany({ where: { name }, data: { ...change, updatedAt: now } });
  return count === 1;
}

/** Deletes a webhook with the deliveries to it; false when it was gone. */
export async function deleteStoredWebhook({ pool }: Pick<Database, 'pool'>, name: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'WITH deliveries AS (DELETE FROM webhook_deliveries WHERE webhook = $1) DELETE FROM webhooks WHERE name = $1',
    [name],
  );
  return rowCount === 1;
}
