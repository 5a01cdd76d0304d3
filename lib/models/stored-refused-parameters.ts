import type { Database } from '#lib/database/database.ts';
import type { Prisma, RefusedParameter as RefusedParameterRow } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { REFUSABLE_PARAMETERS, type RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** Provider at its base URL. Null means the kind's default URL. */
type ProviderAddress = { provider: string; baseUrl: string | null };

export type StoredRefusal = RefusedParameter & ProviderAddress;

/** Returns the parameters that a provider's models refuse at its current URL. Parameters unknown to this version are left out. */
export async function listRefusedParameters(
  { prisma }: Pick<Database, 'prisma'>,
  provider: ProviderAddress,
): Promise<RefusedParameter[]> {
  const rows = await prisma.refusedParameter.findMany({
    where: provider,
    orderBy: [{ model: 'asc' }, { parameter: 'asc' }],
  });
  return rows.flatMap(known);
}

/** Returns the refused parameters of all providers at every URL. */
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

/** Saves the parameters that a provider's model refuses. */
export async function saveRefusedParameters(
  { prisma }: Pick<Database, 'prisma'>,
  { provider, baseUrl }: ProviderAddress,
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

/** Deletes refused parameters of a provider's models, so that they are sent again. Without `models`, deletes those of all models. */
export async function deleteRefusedParameters(
  transaction: Pick<Prisma.TransactionClient, 'refusedParameter'>,
  provider: string,
  models?: readonly string[],
): Promise<void> {
  await transaction.refusedParameter.deleteMany({
    where: { provider, ...(models !== undefined && { model: { in: [...models] } }) },
  });
}
