import type { Database } from '#lib/database/database.ts';

/** How many runs wait for a person. */
export function countWaitingRuns(database: Database): Promise<number> {
  return database.prisma.run.count({ where: { status: 'waiting' } });
}
