import type { Database } from '#lib/database/database.ts';
import type { Prisma, RefusedParameter as RefusedParameterRow } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { REFUSABLE_PARAMETERS, type RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** A provider at its address; null is the kind's own. */
type Place = { provider: string; baseUrl: string | null };

export type StoredRefusal = RefusedParameter & Place;

/** The parameters that the models of a provider refuse at its present address. One that this version does not know is left out. */
export async function listRefusedParameters(
  { prisma }: Pick<Database, 'prisma'>,
  place: Place,
): Promise<RefusedParameter[]> {
  const rows = await prisma.refusedParameter.findMany({
    where: place,
    orderBy: [{ model: 'asc' }, { parameter: 'asc' }],
  });
  return rows.flatMap(known);
}

/** The same of all providers, whatever their address. */
export async function listAllRefusedParameters({ prisma }: Pick<Database, 'prisma'>): Promise<StoredRefusal[]> {
  const rows = await prisma.refusedParameter.findMany({
    orderBy: [{ provider: 'asc' }, { model: 'asc' }, { parameter: 'asc' }],
  });
  return rows.flatMap(known);
}

function known(row: RefusedParameterRow): StoredRefusal[] {
  const parameter = REFUSABLE_PARAMETERS.find((name) => name === row.parameter);
  return parameter === undefined ? [] : [{ ...row, parameter, refusedAt: row.refusedAt.toISOString() }];
}

/** Keeps what a provider's model refuses. */
export async function saveRefusedParameters(
  { prisma }: Pick<Database, 'prisma'>,
  { provider, baseUrl }: Place,
  model: string,
  refusals: readonly Pick<RefusedParameter, 'parameter' | 'message'>[],
  now: Date,
): Promise<void> {
  for (const { parameter, message } of refusals) {
    const key = { provider, model, parameter };
    const refusal = { baseUrl, message: cleanText(message).slice(0, 1_000), refusedAt: now };
    await prisma.refusedParameter.upsert({
      where: { provider_model_parameter: key },
      create: { ...key, ...refusal },
      update: refusal,
    });
  }
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
