import type { Database } from './database.ts';

/** How many experiments name each provider in their latest settings. */
export async function countProviderUse(database: Database): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ provider: string; count: number }>(`
    SELECT p.provider, count(DISTINCT x.id)::int AS count
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (VALUES (v.settings->'generator'->>'provider'), (v.settings->'reflectionModel'->>'provider'), (v.settings->'evaluatorModel'->>'provider'),
      (v.settings->'embeddingModel'->>'provider'), (v.settings->'lessons'->'embeddings'->>'provider')) AS p(provider)
    WHERE p.provider IS NOT NULL GROUP BY p.provider`);
  return Object.fromEntries(rows.map((row) => [row.provider, row.count]));
}
