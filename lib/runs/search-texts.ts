import type { Database } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';

/** How much of a run's input and outputs, one after another, can be found by its words, in characters. */
const MOST_CHARACTERS = 200_000;
/** Of a text with more different words than an index entry holds: what PostgreSQL refuses at the full length. */
const FEWER_CHARACTERS = 20_000;

const UNSEARCHED = 'SELECT run_id FROM run_measures WHERE NOT searched LIMIT $1';

/** Measured runs whose texts are not searchable yet. */
export async function unsearchedRuns(database: Database, limit: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ run_id: string }>({
    name: 'unsearched-runs',
    text: UNSEARCHED,
    values: [limit],
  });
  return rows.map(({ run_id }) => run_id);
}

const FILL = `
  UPDATE run_measures m SET searched = true, search = to_tsvector('simple', left(concat_ws(E'\\n', r.input,
    (SELECT string_agg(v.output, E'\\n' ORDER BY v.number) FROM reflection_versions v WHERE v.run_id = m.run_id)), $2))
  FROM runs r WHERE m.run_id = ANY ($1::uuid[]) AND r.id = m.run_id AND NOT m.searched`;

/**
 * Makes the inputs and the outputs of measured runs searchable by their words, as they stand, and answers of how many. Those that are being
 * changed are left for later.
 */
export async function fillSearch(database: Database, runIds: string[]): Promise<number> {
  // Locked first: what is read after that holds what was changed until then. It waits for nobody while it holds some.
  const fill = (ids: string[], characters: number) =>
    inTransaction(database, async (client) => {
      const { rows } = await client.query<{ run_id: string }>(
        'SELECT run_id FROM run_measures WHERE run_id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED',
        [ids],
      );
      const values = [rows.map(({ run_id }) => run_id), characters];
      if (rows.length > 0) await client.query({ name: 'fill-search', text: FILL, values });
      return rows.length;
    });
  try {
    return await fill(runIds, MOST_CHARACTERS);
  } catch (error) {
    if (!isTooLong(error)) throw error;
    if (runIds.length === 1) return fill(runIds, FEWER_CHARACTERS);
    let filled = 0;
    for (const runId of runIds) filled += await fillSearch(database, [runId]);
    return filled;
  }
}

/** What PostgreSQL says of a text that gives more than 1 MB of different words. */
function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '54000';
}
