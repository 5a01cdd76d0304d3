import type { Database } from './database.ts';
import { callOfRow, type StoredCall } from './find-call.ts';

/** All calls of a run, whole, in the order they were kept. */
export async function listModelCalls(database: Database, runId: string): Promise<StoredCall[]> {
  const rows = await database.prisma.modelCall.findMany({ where: { runId }, orderBy: { id: 'asc' } });
  return rows.map(callOfRow);
}
