import type { AppContext, DatabaseContext } from '#lib/context/app-context.ts';
import { cacheUntilChanged } from '#lib/database/changes.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import { fileLoader } from '#lib/files/stored-files.ts';
import { keyStateOf, type RecordKeyState } from '#lib/providers/call/model-caller.ts';
import type { RememberRefused } from '#lib/providers/call/refused-parameters.ts';
import { PRACTICE_PROVIDER, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS, PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { unsealHeaders } from '#lib/system/sealed-headers.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';
import type { ProviderLimits } from './limited-call.ts';
import { findKeyState, listRefusedParameters, saveKeyState, saveRefusedParameters } from './provider-state.ts';
import {
  findProvider,
  findTarget,
  insertProvider,
  type StoredProvider,
  targetConfiguration,
} from './stored-provider.ts';

/**
 * Creates a resolver of providers and targets by name: stored ones first, then those with a key in the environment, then the practice
 * model.
 */
export function providerResolver(
  context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>,
): (name: string) => Promise<ProviderConfiguration | null> {
  return async (name) => {
    const stored = await findProvider(context.database, name);
    if (stored !== null) {
      const { kind, baseUrl, sealedKey, prices, toolsBy, timeoutSeconds, options, sealedHeaders } = stored;
      return {
        name,
        kind,
        baseUrl,
        apiKey: sealedKey === null ? environmentKeyOf(context, stored) : unsealKey(context.secret, name, sealedKey),
        prices,
        toolsBy,
        timeoutSeconds,
        options,
        headers: unsealHeaders(context.secret, ownerOfHeaders(name), sealedHeaders) ?? {},
        keyState: await findKeyState(context.database, { name, baseUrl }),
        refused: await listRefusedParameters(context.database, { provider: name, baseUrl }),
      };
    }
    const target = await findTarget(context.database, name);
    if (target !== null) return targetConfiguration(context, target);
    const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
    const apiKey = kind === undefined ? undefined : context.environmentKeys[kind];
    if (kind !== undefined && apiKey !== undefined) {
      const refused = await listRefusedParameters(context.database, { provider: name, baseUrl: null });
      const keyState = await findKeyState(context.database, { name, baseUrl: null });
      return { name, kind, baseUrl: null, apiKey, prices: {}, refused, keyState };
    }
    return name === PRACTICE_PROVIDER.name ? PRACTICE_PROVIDER : null;
  };
}

/** Provider names contain no spaces, so headers can never be decrypted as a key. */
export function ownerOfHeaders(provider: string): string {
  return `headers of ${provider}`;
}

/** Returns the environment's key for a stored provider, but only at the kind's default URL. The key must not be sent elsewhere. */
export function environmentKeyOf(
  { environmentKeys }: Pick<AppContext, 'environmentKeys'>,
  { kind, baseUrl }: Pick<StoredProvider, 'kind' | 'baseUrl'>,
): string | null {
  return baseUrl === null && PROVIDER_DEFINITIONS[kind].baseUrl !== null ? (environmentKeys[kind] ?? null) : null;
}

/** Caches providers for a worker until one changes, so that model calls need no extra query. */
export function providerDirectory(context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>) {
  const { database } = context;
  const configurations = cacheUntilChanged(database, ['providers'], providerResolver(context));
  const limits = cacheUntilChanged(database, ['providers'], (name: string) => limitsOf(context, name));
  const rememberRefused: RememberRefused = async ({ name, baseUrl }, model, refusals) => {
    // If saving fails, the refusal is detected again by the next call.
    await saveRefusedParameters(database, { provider: name, baseUrl }, model, refusals, new Date()).catch(
      () => undefined,
    );
    configurations.clear();
  };
  /** Key states reported by calls, per configuration. Concurrent calls save the same state only once. */
  const reported = new WeakMap<ProviderConfiguration, { state: 'works' | 'refused'; saved: Promise<void> }>();
  const noteKey: RecordKeyState = async (provider, outcome) => {
    const state = keyStateOf(outcome);
    if (state === null || state === (provider.keyState ?? null) || provider.kind === 'practice') return;
    const before = reported.get(provider);
    if (before?.state === state) return before.saved;
    // If saving fails, the next call reports the state again.
    const saved = recordKeyState(context, provider, state, outcome.ok ? null : outcome.failure.message)
      .catch(() => undefined)
      .then(configurations.clear);
    reported.set(provider, { state, saved });
    return saved;
  };
  const loadFiles = fileLoader(database);
  return { resolveProvider: configurations.get, limitsOf: limits.get, rememberRefused, noteKey, loadFiles };
}

/** Saves the state of a provider's key, unless the key was changed during the call. */
export async function recordKeyState(
  context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>,
  provider: ProviderConfiguration,
  state: 'works' | 'refused',
  message: string | null,
): Promise<void> {
  const { name, baseUrl, apiKey } = provider;
  const present = await providerResolver(context)(name);
  if (present === null || present.apiKey !== apiKey || present.baseUrl !== baseUrl) return;
  await saveKeyState(context.database, { name, baseUrl }, { state, message, at: new Date() });
}

async function limitsOf({ database }: DatabaseContext, name: string): Promise<ProviderLimits> {
  const stored = (await findProvider(database, name)) ?? (await findTarget(database, name));
  return { maxConcurrency: stored?.maxConcurrency ?? null, maxRequestsPerMinute: stored?.maxRequestsPerMinute ?? null };
}

/**
 * Returns the row of a provider that exists only in the environment, without a key, so that limits and prices can be saved for it. Null if
 * the environment has no key of this name.
 */
export function environmentProvider(
  { environmentKeys }: Pick<AppContext, 'environmentKeys'>,
  name: string,
): StoredProvider | null {
  const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
  if (kind === undefined || environmentKeys[kind] === undefined) return null;
  return {
    ...{ name, kind, baseUrl: null, sealedKey: null, keyLastFour: null, sealedHeaders: null, headerNames: [] },
    ...{ maxConcurrency: null, maxRequestsPerMinute: null, timeoutSeconds: null, toolsBy: null },
    ...{ prices: {}, options: {}, test: null, testedAt: null },
  };
}

/** Inserts the row of a provider that exists only in the environment. Does nothing for other providers. */
export async function adoptProvider(
  transaction: Transaction,
  context: Pick<AppContext, 'environmentKeys' | 'now'>,
  name: string,
): Promise<void> {
  const provider = environmentProvider(context, name);
  if (provider === null) return;
  const { test: _test, testedAt: _testedAt, ...row } = provider;
  await insertProvider(transaction, { ...row, now: context.now() });
}
