import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addressProblem } from '#lib/outgoing/outgoing-address.ts';
import { readServiceAccount } from '#lib/providers/google-token.ts';
import { baseUrlOf } from '#lib/providers/provider-configuration.ts';
import { sealHeaders } from '#lib/system/sealed-headers.ts';
import { sealKey } from '#lib/system/sealed-key.ts';
import { type ProviderView, providerView } from './list-providers.ts';
import { providerInputSchema } from './provider-input.ts';
import { ownerOfHeaders } from './resolve-provider.ts';
import { findProvider, hostOf, insertProvider } from './stored-provider.ts';

/** Saves a new provider. Its key is encrypted, and only the last four characters are ever shown. */
export async function saveProvider(context: AppContext, actor: Actor, input: unknown): Promise<Result<ProviderView>> {
  const parsed = parseInput(providerInputSchema, input);
  if (!parsed.ok) return parsed;
  const { apiKey, headers, ...provider } = parsed.value;
  const refused = await refuseAddress(context, provider.baseUrl);
  if (refused !== null) return refused;
  const key = sealedKeyOf(context, provider.name, apiKey);
  const sealed = sealHeaders(context.secret, ownerOfHeaders(provider.name), headers);
  const inserted = await context.database.prisma.$transaction(async (transaction) => {
    const isNew = await insertProvider(transaction, { ...provider, ...key, ...sealed, now: context.now() });
    if (isNew)
      await recordChange(transaction, actor, {
        act: 'created',
        subject: { kind: 'provider', name: provider.name },
        change: { kind: provider.kind, address: hostOf(baseUrlOf(provider)), keyEndsIn: key.keyLastFour },
      });
    return isNew;
  });
  if (!inserted)
    return fail(
      'conflict',
      `There is a provider named ${JSON.stringify(provider.name)} already. Change that one, or choose another name.`,
      'name',
    );
  const stored = await findProvider(context.database, provider.name);
  if (stored === null) return fail('conflict', 'The provider was deleted. Add it again.', 'name');
  return succeed(providerView(context, stored));
}

/**
 * Returns a problem if models must not be called at a URL, or null. Private networks are only accessible as far as the operator permits.
 */
export async function refuseAddress(
  { addresses }: Pick<AppContext, 'addresses'>,
  baseUrl: string | null,
): Promise<ReturnType<typeof fail> | null> {
  const problem = baseUrl === null ? null : await addressProblem(baseUrl, addresses);
  return problem === null ? null : fail('invalid', `baseUrl ${problem}.`, 'baseUrl');
}

/** Encrypts a key for storage. Also returns its last four characters for display, if the key is long enough to stay secret. */
export function sealedKeyOf(
  context: AppContext,
  name: string,
  apiKey: string | null,
): { sealedKey: string | null; keyLastFour: string | null } {
  if (apiKey === null) return { sealedKey: null, keyLastFour: null };
  return {
    sealedKey: sealKey(context.secret, name, apiKey),
    // The end of a service account's JSON identifies nothing, so the ID of its key is used.
    keyLastFour: lastFourOf(
      apiKey.trimStart().startsWith('{') ? (readServiceAccount(apiKey)?.private_key_id ?? '') : apiKey,
    ),
  };
}

function lastFourOf(key: string): string | null {
  return key.length >= 12 ? key.slice(-4) : null;
}
