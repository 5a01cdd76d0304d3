import type { Database } from '#lib/database/database.ts';
import { findCall, type StoredCall } from './calls.ts';

/** Returns all calls of a run with all their fields, in the order they were stored. */
export async function listModelCalls(database: Database, runId: string): Promise<StoredCall[]> {
  const rows = await database.prisma.modelCall.findMany({
    where: { runId },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  const calls = await Promise.all(rows.map(({ id }) => findCall(database, runId, id)));
  return calls.filter((call) => call !== null);
}
