import type { Database } from '#lib/database/database.ts';

/** Most pauses that are looked at together. */
const MOST = 100;

/** $1 the moment, $2 how many. */
export const RUNS_WITH_EXPIRED_PAUSE =
  'SELECT id FROM runs WHERE pause_expires_at <= $1 ORDER BY pause_expires_at LIMIT $2';

/** The runs whose pause nobody has answered in its time, longest ago first; at most 100. Costs the same however many runs wait. */
export async function runsWithExpiredPause({ pool }: Pick<Database, 'pool'>, now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'runs-with-expired-pause',
    text: RUNS_WITH_EXPIRED_PAUSE,
    values: [now, MOST],
  });
  return rows.map(({ id }) => id);
}
