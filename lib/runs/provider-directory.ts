import { findProvider } from '#lib/db/find-provider.ts';
import { keepRefusedParameters } from '#lib/db/refused-parameters.ts';
import type { ProviderConfiguration } from '#lib/models/provider-configuration.ts';
import type { RememberRefused } from '#lib/models/refusal-memory.ts';
import type { ProviderLimits } from './limited-call.ts';
import { providerResolver } from './resolve-provider.ts';
import type { Workshop } from './workshop.ts';

/** How long a worker goes by what it read of a provider, in milliseconds. */
const KEEP_MS = 1_000;

type Entry = { readAt: number; configuration: Promise<ProviderConfiguration | null>; limits: Promise<ProviderLimits> };

/** A worker's view of the providers: read anew at most once a second each, so that calls cost no query of their own. */
export function providerDirectory(workshop: Pick<Workshop, 'database' | 'secret' | 'environmentKeys'>) {
  const entries = new Map<string, Entry>();
  const resolve = providerResolver(workshop);
  const entryOf = (name: string): Entry => {
    const known = entries.get(name);
    if (known !== undefined && performance.now() - known.readAt < KEEP_MS) return known;
    const entry = { readAt: performance.now(), configuration: resolve(name), limits: limitsOf(workshop, name) };
    const forget = () => entries.get(name) === entry && entries.delete(name);
    entry.configuration.catch(forget);
    entry.limits.catch(forget);
    entries.set(name, entry);
    return entry;
  };
  const rememberRefused: RememberRefused = async ({ name, baseUrl }, model, refusals) => {
    // Not kept, it is found out once more.
    await keepRefusedParameters(workshop.database, { provider: name, baseUrl }, model, refusals, new Date()).catch(
      () => undefined,
    );
    entries.delete(name);
  };
  return {
    resolveProvider: (name: string) => entryOf(name).configuration,
    limitsOf: (name: string) => entryOf(name).limits,
    rememberRefused,
  };
}

async function limitsOf({ database }: Pick<Workshop, 'database'>, name: string): Promise<ProviderLimits> {
  const stored = await findProvider(database, name);
  return { maxConcurrency: stored?.maxConcurrency ?? null, maxRequestsPerMinute: stored?.maxRequestsPerMinute ?? null };
}
