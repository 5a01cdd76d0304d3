import type { Database } from '#lib/database/database.ts';

// Read along the index: each year is looked for at once, however many lessons are in it.
const YEARS = `
  SELECT y.year FROM (SELECT min(created_at) AS first, max(created_at) AS last FROM lessons WHERE status = 'archived') ends,
    generate_series(extract(year FROM ends.first AT TIME ZONE 'UTC')::int, extract(year FROM ends.last AT TIME ZONE 'UTC')::int) AS y(year)
  WHERE EXISTS (SELECT 1 FROM lessons WHERE status = 'archived'
    AND created_at >= make_timestamptz(y.year, 1, 1, 0, 0, 0, 'UTC') AND created_at < make_timestamptz(y.year + 1, 1, 1, 0, 0, 0, 'UTC'))
  ORDER BY y.year DESC`;

/** The yearly archives that hold any lessons, the latest first. */
export async function archiveYears({ pool }: Pick<Database, 'pool'>): Promise<number[]> {
  const { rows } = await pool.query<{ year: number }>(YEARS);
  return rows.map(({ year }) => year);
}
