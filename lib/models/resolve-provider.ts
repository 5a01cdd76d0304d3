import type { AppContext } from '#lib/context/app-context.ts';
import { keptWhileUnchanged } from '#lib/database/changes.ts';
import { fileLoader } from '#lib/files/stored-files.ts';
import type { RememberRefused } from '#lib/providers/call/refused-parameters.ts';
import { keyStateOf, type NoteKey } from '#lib/providers/key-state.ts';
import { PRACTICE_PROVIDER, type ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { ENVIRONMENT_KINDS, PROVIDER_DEFINITIONS } from '#lib/providers/provider-kinds.ts';
import { unsealHeaders } from '#lib/system/sealed-headers.ts';
import { unsealKey } from '#lib/system/sealed-key.ts';
import type { ProviderLimits } from './limited-call.ts';
import { findKeyState, saveKeyState } from './stored-key-state.ts';
import { findProvider, insertProvider, type StoredProvider } from './stored-provider.ts';
import { listRefusedParameters, saveRefusedParameters } from './stored-refused-parameters.ts';
import { findTarget, targetConfiguration } from './stored-target.ts';

/** Finds providers and targets by name: the stored ones first, then those whose key is in the environment, then the practice model. */
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

/** No name of a provider holds a space: headers never open as a key. */
export function ownerOfHeaders(provider: string): string {
  return `headers of ${provider}`;
}

/** The environment's key for a stored provider: only at the kind's own address, since it must not go where it was not meant for. */
export function environmentKeyOf(
  { environmentKeys }: Pick<AppContext, 'environmentKeys'>,
  { kind, baseUrl }: Pick<StoredProvider, 'kind' | 'baseUrl'>,
): string | null {
  return baseUrl === null && PROVIDER_DEFINITIONS[kind].baseUrl !== null ? (environmentKeys[kind] ?? null) : null;
}

/** A worker's view of the providers: read anew when one has changed, so that calls cost no query of their own. */
export function providerDirectory(context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>) {
  const { database } = context;
  const configurations = keptWhileUnchanged(database, ['providers'], providerResolver(context));
  const limits = keptWhileUnchanged(database, ['providers'], (name: string) => limitsOf(context, name));
  const rememberRefused: RememberRefused = async ({ name, baseUrl }, model, refusals) => {
    // Not kept, it is found out once more.
    await saveRefusedParameters(database, { provider: name, baseUrl }, model, refusals, new Date()).catch(
      () => undefined,
    );
    configurations.forget();
  };
  /** What calls have told of a configuration's key: many at the same moment keep it once. */
  const told = new WeakMap<ProviderConfiguration, { state: 'works' | 'refused'; kept: Promise<void> }>();
  const noteKey: NoteKey = async (asked, outcome) => {
    const state = keyStateOf(outcome);
    if (state === null || state === (asked.keyState ?? null) || asked.kind === 'practice') return;
    const before = told.get(asked);
    if (before?.state === state) return before.kept;
    // Not kept, the next call tells.
    const kept = noteKeyState(context, asked, state, outcome.ok ? null : outcome.failure.message)
      .catch(() => undefined)
      .then(configurations.forget);
    told.set(asked, { state, kept });
    return kept;
  };
  const loadFiles = fileLoader(database);
  return { resolveProvider: configurations.get, limitsOf: limits.get, rememberRefused, noteKey, loadFiles };
}

/** Keeps what a provider said of its key, unless that key was changed while it was asked. */
export async function noteKeyState(
  context: Pick<AppContext, 'database' | 'secret' | 'environmentKeys'>,
  asked: ProviderConfiguration,
  state: 'works' | 'refused',
  message: string | null,
): Promise<void> {
  const { name, baseUrl, apiKey } = asked;
  const present = await providerResolver(context)(name);
  if (present === null || present.apiKey !== apiKey || present.baseUrl !== baseUrl) return;
  await saveKeyState(context.database, { name, baseUrl }, { state, message, at: new Date() });
}

async function limitsOf({ database }: Pick<AppContext, 'database'>, name: string): Promise<ProviderLimits> {
  const stored = (await findProvider(database, name)) ?? (await findTarget(database, name));
  return { maxConcurrency: stored?.maxConcurrency ?? null, maxRequestsPerMinute: stored?.maxRequestsPerMinute ?? null };
}

/** A stored provider. One that only the environment names gets a row, without a key, so that limits and prices can be kept of it; null for others. */
export async function storedOrAdopted(
  context: Pick<AppContext, 'database' | 'environmentKeys' | 'now'>,
  name: string,
): Promise<StoredProvider | null> {
  const stored = await findProvider(context.database, name);
  const kind = ENVIRONMENT_KINDS.find((candidate) => candidate === name);
  if (stored !== null || kind === undefined || context.environmentKeys[kind] === undefined) return stored;
  await insertProvider(context.database.prisma, {
    name,
    kind,
    baseUrl: null,
    sealedKey: null,
    keyLastFour: null,
    maxConcurrency: null,
    maxRequestsPerMinute: null,
    prices: {},
    now: context.now(),
  });
  return findProvider(context.database, name);
}
