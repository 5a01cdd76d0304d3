import { ENDED_STATUSES } from '#lib/core/run-statuses.ts';
import type { Database } from '#lib/database/database.ts';
import { loadRun, type StoredRun } from './load-run.ts';

/**
 * A run with the names of the run and its case in the source of an import, the key shared by runs of the same case, and its spend outside
 * the loop.
 */
export type WalkedRun = {
  stored: StoredRun;
  importedRun: string | null;
  importedCase: string | null;
  caseKey: string;
  asideTokens: number;
  asideCostUsd: number;
};

const AT_ONCE = 50;
/** Number of runs loaded concurrently. */
const BESIDE = 4;

/**
 * Yields the ended runs of an experiment with their whole histories, oldest first, reading a few at a time. Skips a run that is deleted
 * meanwhile.
 */
export async function* walkEndedRuns(database: Database, experimentId: string): AsyncGenerator<WalkedRun> {
  let after = 0;
  for (;;) {
    const next = await database.prisma.run.findMany({
      where: { experimentId, number: { gt: after }, status: { in: [...ENDED_STATUSES] } },
      select: {
        ...{ id: true, number: true, importedRun: true, importedCase: true, caseKey: true },
        ...{ asideTokens: true, asideCostUsd: true },
      },
      orderBy: { number: 'asc' },
      take: AT_ONCE,
    });
    for (let start = 0; start < next.length; start += BESIDE) {
      const loaded = next.slice(start, start + BESIDE).map(async ({ id, number: _number, caseKey, ...facts }) => {
        const stored = await loadRun(database, id);
        return stored === null ? [] : [{ ...facts, caseKey: caseKey ?? '', stored }];
      });
      yield* (await Promise.all(loaded)).flat();
    }
    if (next.length < AT_ONCE) return;
    after = next.at(-1)?.number ?? after;
  }
}
