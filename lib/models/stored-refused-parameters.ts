import { z } from 'zod';
import type { Database, Queryable } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { type RefusedParameter, refusedParameterSchema } from '#lib/providers/refused-parameter-record.ts';

/** A provider at its address; null is the kind's own. */
type Place = { provider: string; baseUrl: string | null };

const row = z.object({ ...refusedParameterSchema.shape, provider: z.string(), baseUrl: z.string().nullable() });
export type StoredRefusal = z.infer<typeof row>;

const SELECT = `SELECT provider, base_url AS "baseUrl", model, parameter, message,
  to_char(refused_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "refusedAt" FROM refused_parameters`;

/** The parameters that the models of a provider refuse at its present address. One that this version does not know is left out. */
export async function listRefusedParameters(
  { pool }: Pick<Database, 'pool'>,
  { provider, baseUrl }: Place,
): Promise<RefusedParameter[]> {
  const { rows } = await pool.query<Record<string, unknown>>({
    name: 'list-refused-parameters',
    text: `${SELECT} WHERE provider = $1 AND base_url IS NOT DISTINCT FROM $2 ORDER BY model, parameter`,
    values: [provider, baseUrl],
  });
  return known(rows);
}

/** The same of all providers, whatever their address. */
export async function listAllRefusedParameters({ pool }: Pick<Database, 'pool'>): Promise<StoredRefusal[]> {
  const { rows } = await pool.query<Record<string, unknown>>(`${SELECT} ORDER BY provider, model, parameter`);
  return known(rows);
}

function known(rows: readonly Record<string, unknown>[]): StoredRefusal[] {
  return rows.flatMap((raw) => row.safeParse(raw).data ?? []);
}

/** Keeps what a provider's model refuses. */
export async function saveRefusedParameters(
  { pool }: { pool: Queryable },
  { provider, baseUrl }: Place,
  model: string,
  refusals: readonly Pick<RefusedParameter, 'parameter' | 'message'>[],
  now: Date,
): Promise<void> {
  for (const { parameter, message } of refusals)
    await pool.query(
      `INSERT INTO refused_parameters (provider, model, parameter, base_url, message, refused_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (provider, model, parameter) DO UPDATE SET base_url = $4, message = $5, refused_at = $6`,
      [provider, model, parameter, baseUrl, cleanText(message).slice(0, 1_000), now],
    );
}

/** Forgets what models of a provider refuse, so that it is sent again; without `models` of all of them. */
export async function forgetRefusedParameters(
  transaction: Pick<Prisma.TransactionClient, 'refusedParameter'>,
  provider: string,
  models?: readonly string[],
): Promise<void> {
  await transaction.refusedParameter.deleteMany({
    where: { provider, ...(models !== undefined && { model: { in: [...models] } }) },
  });
}

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
