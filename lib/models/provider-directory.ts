import type { AppContext } from '#lib/context/app-context.ts';
import { keptWhileUnchanged } from '#lib/database/changes.ts';
import type { RememberRefused } from '#lib/providers/call/refusal-memory.ts';
import { findProvider } from './find-provider.ts';
import type { ProviderLimits } from './limited-call.ts';
import { providerResolver } from './resolve-provider.ts';
import { saveRefusedParameters } from './stored-refused-parameters.ts';

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
  return { resolveProvider: configurations.get, limitsOf: limits.get, rememberRefused };
}

async function limitsOf({ database }: Pick<AppContext, 'database'>, name: string): Promise<ProviderLimits> {
  const stored = await findProvider(database, name);
  return { maxConcurrency: stored?.maxConcurrency ?? null, maxRequestsPerMinute: stored?.maxRequestsPerMinute ?? null };
}
