import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import { cleanText } from '#lib/database/query-values.ts';

/** State of a provider's key from the last conclusive call, with the provider's error message if refused. */
export const keyStateSchema = z.object({
  state: z.enum(['works', 'refused']),
  message: z.string().nullable(),
  at: z.iso.datetime(),
});
export type KeyState = z.infer<typeof keyStateSchema>;

/** Provider at its base URL. Null means the kind's default URL. */
type ProviderAddress = { name: string; baseUrl: string | null };

const rowSchema = z
  .object({ provider: z.string(), baseUrl: z.string().nullable(), ...keyStateSchema.shape, at: z.date() })
  .transform(({ at, ...row }) => ({ ...row, at: at.toISOString() }));

/** Returns a lookup of the key states of all providers. A state only applies to the base URL it was recorded for. */
export async function listKeyStates({
  prisma,
}: Pick<Database, 'prisma'>): Promise<(provider: ProviderAddress) => KeyState | null> {
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
  { prisma }: Pick<Database, 'prisma'>,
  { name, baseUrl }: ProviderAddress,
): Promise<KeyState['state'] | null> {
  const row = await prisma.providerKeyState.findUnique({ where: { provider: name } });
  const found = row === null ? null : rowSchema.parse(row);
  return found !== null && found.baseUrl === baseUrl ? found.state : null;
}

/** Saves the key state that a call reported. */
export async function saveKeyState(
  { prisma }: Pick<Database, 'prisma'>,
  { name, baseUrl }: ProviderAddress,
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
