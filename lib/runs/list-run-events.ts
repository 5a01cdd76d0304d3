import type { Database } from '#lib/database/database.ts';

type StoredEvent = { number: number; type: string; data: unknown; at: string };

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
export async function firstEventNumber({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<number | null> {
  const [run, event] = await Promise.all([
    prisma.run.findUnique({ where: { id: runId }, select: { eventNumber: true } }),
    prisma.runEvent.findFirst({ where: { runId }, orderBy: { number: 'asc' }, select: { number: true } }),
  ]);
  return run === null ? null : (event?.number ?? run.eventNumber + 1);
}
