import type { Database } from '#lib/database/database.ts';

/** The experiments whose latest settings name each webhook, by name. */
export async function webhookUse(database: Database): Promise<Record<string, { id: string; name: string }[]>> {
  const { rows } = await database.pool.query<{ webhook: string; id: string; name: string }>(`
    SELECT DISTINCT n.webhook, x.id, x.name
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (
      SELECT c->'config'->>'name' AS webhook FROM jsonb_array_elements(v.settings->'criteria') AS c WHERE c->>'evaluator' = 'webhook'
      UNION ALL SELECT v.settings->'callbacks'->>'webhook') AS n
    WHERE n.webhook IS NOT NULL ORDER BY x.name, x.id`);
  const use: Record<string, { id: string; name: string }[]> = Object.create(null);
  for (const { webhook, ...experiment } of rows) {
    use[webhook] ??= [];
    use[webhook].push(experiment);
  }
  return use;
}
