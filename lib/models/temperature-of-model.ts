import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';

/** The latest settings of the experiments, with the model and the temperature of each role. */
const ASKED = `
  SELECT x.updated_at, r.provider, r.model, r.temperature
  FROM experiments x
  JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  CROSS JOIN LATERAL jsonb_to_record(v.settings)
    AS s(generator jsonb, "evaluatorModel" jsonb, "reflectionModel" jsonb, temperatures jsonb)
  CROSS JOIN LATERAL (VALUES
    (s.generator, coalesce(s.generator->'temperature', s.temperatures->'revise')),
    (s."evaluatorModel", s.temperatures->'evaluate'),
    (s."reflectionModel", coalesce(s.temperatures->'reflect', s.temperatures->'lesson'))
  ) AS asked(model, temperature)
  CROSS JOIN LATERAL (SELECT asked.model->>'provider' AS provider, asked.model->>'model' AS model, asked.temperature) AS r`;

/** The temperature that the experiment which was changed last asks a model with; null where none sets one for it. */
export async function temperatureOfModel(
  { pool }: Pick<Database, 'pool'>,
  { provider, model }: { provider: string; model: string },
): Promise<number | null> {
  const { rows } = await pool.query<Record<string, unknown>>(
    `SELECT a.temperature::text::float8 AS temperature FROM (${ASKED}) AS a
     WHERE a.provider = $1 AND a.model = $2 AND jsonb_typeof(a.temperature) = 'number' ORDER BY a.updated_at DESC LIMIT 1`,
    [provider, model],
  );
  return rows[0] === undefined ? null : z.object({ temperature: z.number() }).parse(rows[0]).temperature;
}
