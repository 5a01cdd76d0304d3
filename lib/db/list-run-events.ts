import type { Database } from './database.ts';

export type StoredEvent = { number: number; type: string; data: unknown; at: string };

/** A run's events after a number, in order. */
export async function listRunEvents(
  database: Database,
  runId: string,
  afterNumber: number,
  limit: number,
): Promise<StoredEvent[]> {
  const rows = await database.prisma.runEvent.findMany({
    where: { runId, number: { gt: afterNumber } },
    orderBy: { number: 'asc' },
    take: limit,
  });
  return rows.map(({ number, type, data, at }) => ({ number, type, data, at: at.toISOString() }));
}
