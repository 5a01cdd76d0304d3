import { z } from 'zod';
import { cleanText } from '#lib/database/clean-text.ts';
import type { Database, Queryable } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
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
