import type { Database } from '#lib/database/database.ts';

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

/** The number of the first event that is kept of a run, or of the next one where none is; null where there is no such run. */
export async function firstEventNumber({ pool }: Pick<Database, 'pool'>, runId: string): Promise<number | null> {
  const { rows } = await pool.query<{ first: number }>({
    name: 'first-event-number',
    text: 'SELECT coalesce((SELECT min(number) FROM run_events WHERE run_id = $1), event_number + 1) AS first FROM runs WHERE id = $1',
    values: [runId],
  });
  return rows[0]?.first ?? null;
}
