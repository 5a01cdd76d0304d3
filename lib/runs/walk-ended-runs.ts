import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { loadRun, type StoredRun } from './load-run.ts';

/** A run with what it and its case were called where it was imported from, and the key that runs of the same case share. */
export type WalkedRun = { stored: StoredRun; importedRun: string | null; importedCase: string | null; caseKey: string };

const AT_ONCE = 50;
/** So many are loaded beside each other. */
const BESIDE = 4;

const NEXT = `
  SELECT id, number, imported_run AS "importedRun", imported_case AS "importedCase", case_key AS "caseKey"
  FROM runs WHERE experiment_id = $1 AND number > $2 AND status IN ('finished', 'failed', 'stopped') ORDER BY number LIMIT $3`;

const row = z.object({
  id: z.string(),
  number: z.int(),
  importedRun: z.string().nullable(),
  importedCase: z.string().nullable(),
  caseKey: z.string(),
});

/** The ended runs of an experiment with their whole histories, oldest first, read a few at a time. One that is deleted meanwhile is passed over. */
export async function* walkEndedRuns(database: Database, experimentId: string): AsyncGenerator<WalkedRun> {
  let after = 0;
  for (;;) {
    const { rows } = await database.pool.query<Record<string, unknown>>(NEXT, [experimentId, after, AT_ONCE]);
    const next = z.array(row).parse(rows);
    for (let start = 0; start < next.length; start += BESIDE) {
      const loaded = next.slice(start, start + BESIDE).map(async ({ id, number: _number, ...names }) => {
        const stored = await loadRun(database, id);
        return stored === null ? [] : [{ ...names, stored }];
      });
      yield* (await Promise.all(loaded)).flat();
    }
    if (next.length < AT_ONCE) return;
    after = next.at(-1)?.number ?? after;
  }
}
