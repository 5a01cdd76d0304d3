import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { formatList, formatNumberOf } from '#lib/format.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { refuseUrl } from '#lib/outgoing/outgoing-address.ts';
import { readServiceAccount } from '#lib/providers/google-token.ts';
import { baseUrlOf } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS } from '#lib/providers/provider-kinds.ts';
import { sealHeaders } from '#lib/system/sealed-headers.ts';
import { lastFourOf, sealKey } from '#lib/system/sealed-key.ts';
import { listProviders, type ProviderView, providerView } from './list-providers.ts';
import { missingBaseUrl, optionProblems, providerInputSchema, providerPatchSchema } from './provider-input.ts';
import { deleteKeyState, deleteRefusedParameters } from './provider-state.ts';
import { endRateLimits, listProviderUse, type ProviderUse } from './queries.ts';
import { adoptProvider, environmentProvider, ownerOfHeaders } from './resolve-provider.ts';
import { deleteSavedResponses } from './saved-responses.ts';
import {
  changeProvider,
  deleteStoredProvider,
  findProvider,
  hasValues,
  hostOf,
  insertProvider,
  type StoredProvider,
} from './stored-provider.ts';

/** Saves a new provider. Its key is encrypted, and only the last four characters are ever shown. */
export async function saveProvider(context: AppContext, actor: Actor, input: unknown): Promise<Result<ProviderView>> {
  const parsed = parseInput(providerInputSchema, input);
  if (!parsed.ok) return parsed;
  const { apiKey, headers, ...provider } = parsed.value;
  const refused = await refuseUrl(provider.baseUrl, context.addresses, 'baseUrl');
  if (refused !== null) return refused;
  const key = sealedKeyOf(context, provider.name, apiKey);
  const sealed = sealHeaders(context.secret, ownerOfHeaders(provider.name), headers);
  const inserted = await context.database.prisma.$transaction(async (transaction) => {
    if (!(await insertProvider(transaction, { ...provider, ...key, ...sealed, now: context.now() }))) return false;
    // It may replace a provider from the environment.
    await endRateLimits(transaction, provider.name, context.now());
    await recordChange(transaction, actor, {
      act: 'created',
      subject: { kind: 'provider', name: provider.name },
      change: { kind: provider.kind, address: hostOf(baseUrlOf(provider)), keyEndsIn: key.keyLastFour },
    });
    return true;
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

/** Encrypts a key for storage. Also returns its last four characters for display, if the key is long enough to stay secret. */
function sealedKeyOf(
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

/**
 * Updates a stored provider. If its base URL changes, directly or through another option, the stored key and headers are deleted unless new
 * ones are given. They must only be sent to the URL they were saved with. Fails if the URL changes at the same time. An update without
 * changes writes nothing.
 */
export async function updateProvider(
  context: AppContext,
  actor: Actor,
  name: string,
  input: unknown,
): Promise<Result<ProviderView>> {
  const parsed = parseInput(providerPatchSchema, input);
  if (!parsed.ok) return parsed;
  const stored = (await findProvider(context.database, name)) ?? environmentProvider(context, name);
  if (stored === null) return providerNotFound(name);
  const { seenBaseUrl, seenOptions, ...patch } = parsed.value;
  const { apiKey, headers, forgetRefused, ...change } = patch;
  const before = baseUrlOf(stored);
  const next = { kind: stored.kind, baseUrl: stored.baseUrl, options: stored.options, ...change };
  const address = baseUrlOf(next);
  const moved = address !== before || next.baseUrl !== stored.baseUrl;
  const refused =
    staleRefusal(stored, parsed.value) ??
    settingsRefusal({ ...next, apiKey: apiKey ?? null }) ??
    (await refuseUrl(change.baseUrl, context.addresses, 'baseUrl'));
  if (refused !== null) return refused;
  const key = apiKey !== undefined || moved ? sealedKeyOf(context, name, apiKey ?? null) : null;
  const sealed =
    headers !== undefined || moved ? sealHeaders(context.secret, ownerOfHeaders(name), headers ?? {}) : null;
  const values = { ...change, ...key, ...sealed };
  if (!forgetRefused?.length && hasValues(stored, values)) return findView(context, name);
  const written = { ...values, forgetTest: moved || apiKey !== undefined };
  const isChanged = await context.database.prisma.$transaction(async (transaction) => {
    await adoptProvider(transaction, context, name);
    if (!(await changeProvider(transaction, stored, written, context.now()))) return false;
    if (moved) await deleteSavedResponses(transaction, name);
    if (key !== null) {
      await deleteKeyState(transaction, name);
      await endRateLimits(transaction, name, context.now());
    }
    if (moved || forgetRefused !== undefined)
      await deleteRefusedParameters(transaction, name, moved ? undefined : forgetRefused);
    await recordChange(transaction, actor, {
      act: 'changed',
      subject: { kind: 'provider', name },
      change: {
        fields: Object.keys(patch).join(', '),
        address: hostOf(address),
        ...(key === null ? {} : { keyEndsIn: key.keyLastFour }),
      },
    });
    return true;
  });
  const view = await findView(context, name);
  if (view.ok && !isChanged)
    return fail('conflict', 'Another request has changed the provider. Nothing was saved. Reload it, then save again.');
  return view;
}

/** Refuses a change whose author saw other values than the stored ones. */
function staleRefusal(
  stored: Pick<StoredProvider, 'kind' | 'baseUrl' | 'options'>,
  { seenBaseUrl, seenOptions }: z.infer<typeof providerPatchSchema>,
): Result<never> | null {
  const baseUrl = baseUrlOf(stored);
  if (seenBaseUrl !== undefined && seenBaseUrl !== baseUrl)
    return fail(
      'conflict',
      `Someone changed the base URL to ${baseUrl} while you were editing. Nothing was saved. Check the URL, then save again.`,
      'baseUrl',
    );
  if (seenOptions !== undefined && !isDeepStrictEqual(seenOptions, stored.options))
    return fail(
      'conflict',
      'Someone changed the options while you were editing. Nothing was saved. Check them, then save again.',
      'options',
    );
  return null;
}

function settingsRefusal(
  provider: Parameters<typeof optionProblems>[0] & Parameters<typeof missingBaseUrl>[0],
): Result<never> | null {
  const [wrong] = optionProblems(provider);
  if (wrong !== undefined) {
    const field = wrong.path.join('.');
    return fail('invalid', `${field} ${wrong.message}.`, field);
  }
  const missing = missingBaseUrl(provider);
  return missing === null ? null : fail('invalid', `baseUrl ${missing}.`, 'baseUrl');
}

function providerNotFound(name: string): Result<never> {
  return fail('not_found', `There is no stored provider named ${JSON.stringify(name)}.`);
}

async function findView(context: AppContext, name: string): Promise<Result<ProviderView>> {
  const view = (await listProviders(context)).find((provider) => provider.name === name);
  return view === undefined ? providerNotFound(name) : succeed(view);
}

/**
 * Deletes a stored provider and its key. Refuses if experiments or prompts use it, and names them, unless `evenInUse` is set. In that case
 * their next run fails because the provider is missing, as do the runs that wait for its rate limit.
 */
export async function deleteProvider(
  context: AppContext,
  actor: Actor,
  name: string,
  { evenInUse }: { evenInUse: boolean },
): Promise<Result<{ deleted: { providers: number } }>> {
  const missing = providerNotFound(name);
  if ((await findProvider(context.database, name)) === null) return missing;
  const use = evenInUse || isInEnvironment(context, name) ? undefined : (await listProviderUse(context.database))[name];
  if (use !== undefined)
    return fail(
      'conflict',
      `The provider ${JSON.stringify(name)} is used by ${usersIn(use)}. Choose other models there first, or delete it with evenInUse=true: their next runs then fail and say that it is missing.`,
      'name',
    );
  return context.database.prisma.$transaction(async (transaction) => {
    if (!(await deleteStoredProvider(transaction, name))) return missing;
    await deleteSavedResponses(transaction, name);
    await deleteRefusedParameters(transaction, name);
    await deleteKeyState(transaction, name);
    await endRateLimits(transaction, name, context.now());
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'provider', name },
      change: { evenInUse },
    });
    return succeed({ deleted: { providers: 1 } });
  });
}

/** Without its row the provider still works with the environment's key, so no users are affected. */
function isInEnvironment({ environmentKeys }: AppContext, name: string): boolean {
  return ENVIRONMENT_KINDS.some((kind) => kind === name && environmentKeys[kind] !== undefined);
}

/** Maximum number of users named in a refusal. */
const NAMED = 5;

function usersIn({ experiments, prompts, named }: ProviderUse): string {
  const counts = [
    ...(experiments > 0 ? [formatNumberOf(experiments, 'experiment')] : []),
    ...(prompts > 0 ? [formatNumberOf(prompts, 'prompt')] : []),
  ];
  const shown = named.slice(0, NAMED).map(({ name }) => JSON.stringify(name));
  const rest = experiments + prompts - shown.length;
  return `${counts.join(' and ')}: ${formatList(rest > 0 ? [...shown, `${rest} more`] : shown)}`;
}
