import type { Database } from '#lib/database/database.ts';

/** An experiment whose latest settings give its agents tools of a server. */
export type ServerUse = { id: string; name: string; tools: string[] };

/** The experiments that use tools of MCP servers, by the server's name: what stands before `__` in a tool's. */
export async function toolUse({ pool }: Pick<Database, 'pool'>): Promise<Record<string, ServerUse[]>> {
  const { rows } = await pool.query<ServerUse & { server: string }>(`
    SELECT split_part(t.tool, '__', 1) AS server, x.id, x.name, array_agg(DISTINCT t.tool ORDER BY t.tool) AS tools
    FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    CROSS JOIN LATERAL (
      SELECT jsonb_array_elements_text(v.settings->'generator'->'base'->'tools') AS tool
      UNION SELECT jsonb_array_elements_text(w->'tools') FROM jsonb_array_elements(v.settings->'generator'->'base'->'workers') AS w
    ) AS t
    WHERE position('__' IN t.tool) > 0
    GROUP BY 1, 2, 3 ORDER BY x.name, x.id`);
  const use: Record<string, ServerUse[]> = Object.create(null);
  for (const { server, ...experiment } of rows) {
    use[server] ??= [];
    use[server].push(experiment);
  }
  return use;
}
