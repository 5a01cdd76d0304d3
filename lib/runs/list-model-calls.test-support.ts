import type { Database } from '#lib/database/database.ts';
import { findCall, type StoredCall } from './calls.ts';

/** All calls of a run, whole, in the order they were kept. */
export async function listModelCalls(database: Database, runId: string): Promise<StoredCall[]> {
  const rows = await database.prisma.modelCall.findMany({
    where: { runId },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  const calls = await Promise.all(rows.map(({ id }) => findCall(database, runId, id)));
  return calls.filter((call) => call !== null);
}
