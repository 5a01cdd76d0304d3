import { z } from 'zod';
import type { DatabaseClient } from '#lib/database/database.ts';
import type { Prisma, RefusedParameter as RefusedParameterRow } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { REFUSABLE_PARAMETERS, type RefusedParameter } from '#lib/providers/refused-parameter-record.ts';

/** State of a provider's key from the last conclusive call, with the provider's error message if refused. */
export const keyStateSchema = z.object({
  state: z.enum(['works', 'refused']),
  message: z.string().nullable(),
  at: z.iso.datetime(),
});
export type KeyState = z.infer<typeof keyStateSchema>;

/** Provider at its base URL. Null means the kind's default URL. */
type KeyAddress = { name: string; baseUrl: string | null };

const rowSchema = z
  .object({ provider: z.string(), baseUrl: z.string().nullable(), ...keyStateSchema.shape, at: z.date() })
  .transform(({ at, ...row }) => ({ ...row, at: at.toISOString() }));

/** Returns a lookup of the key states of all providers. A state only applies to the base URL it was recorded for. */
export async function listKeyStates({ prisma }: DatabaseClient): Promise<(provider: KeyAddress) => KeyState | null> {
  const rows = (await prisma.providerKeyState.findMany()).map((row) => rowSchema.parse(row));
  const states = new Map(rows.map((row) => [row.provider, row]));
  return ({ name, baseUrl }) => {
    const found = states.get(name);
    if (found === undefined || found.baseUrl !== baseUrl) return null;
    const { state, message, at } = found;
    return { state, message, at };
  };
}

/** Returns the key state of one provider: works, refused, or null if unknown. */
export async function findKeyState(
  { prisma }: DatabaseClient,
  { name, baseUrl }: KeyAddress,
): Promise<KeyState['state'] | null> {
  const row = await prisma.providerKeyState.findUnique({ where: { provider: name } });
  const found = row === null ? null : rowSchema.parse(row);
  return found !== null && found.baseUrl === baseUrl ? found.state : null;
}

/** Saves the key state that a call reported. */
export async function saveKeyState(
  { prisma }: DatabaseClient,
  { name, baseUrl }: KeyAddress,
  { state, message, at }: { state: KeyState['state']; message: string | null; at: Date },
): Promise<void> {
  const row = { baseUrl, state, message: message === null ? null : cleanText(message).slice(0, 1_000), at };
  await prisma.providerKeyState.upsert({
    where: { provider: name },
    create: { provider: name, ...row },
    update: row,
  });
}

/** Deletes the state of a key that was changed or deleted. */
export async function deleteKeyState(
  transaction: Pick<Prisma.TransactionClient, 'providerKeyState'>,
  name: string,
): Promise<void> {
  await transaction.providerKeyState.deleteMany({ where: { provider: name } });
}

/** Provider at its base URL. Null means the kind's default URL. */
type ProviderAddress = { provider: string; baseUrl: string | null };

export type StoredRefusal = RefusedParameter & ProviderAddress;

/** Returns the parameters that a provider's models refuse at its current URL. Parameters unknown to this version are left out. */
export async function listRefusedParameters(
  { prisma }: DatabaseClient,
  provider: ProviderAddress,
): Promise<RefusedParameter[]> {
  const rows = await prisma.refusedParameter.findMany({
    where: provider,
    orderBy: [{ model: 'asc' }, { parameter: 'asc' }],
  });
  return rows.flatMap(known);
}

/** Returns the refused parameters of all providers at every URL. */
export async function listAllRefusedParameters({ prisma }: DatabaseClient): Promise<StoredRefusal[]> {
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
  { prisma }: DatabaseClient,
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
