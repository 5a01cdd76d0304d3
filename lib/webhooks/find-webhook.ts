import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

const storedWebhook = z.object({
  name: z.string(),
  url: z.string(),
  sealedSecret: z.string(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
/** A webhook as stored: its secret sealed. */
export type StoredWebhook = z.infer<typeof storedWebhook>;

/** A webhook's row as it is read. */
export function toStoredWebhook(row: unknown): StoredWebhook {
  return storedWebhook.parse(row);
}

export async function findWebhook(database: Database, name: string): Promise<StoredWebhook | null> {
  const row = await database.prisma.webhook.findUnique({ where: { name } });
  return row === null ? null : toStoredWebhook(row);
}

/** All webhooks by name. */
export async function listStoredWebhooks(database: Database): Promise<StoredWebhook[]> {
  const rows = await database.prisma.webhook.findMany({ orderBy: { name: 'asc' } });
  return rows.map(toStoredWebhook);
}
