import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findLocalServers, type LocalServer } from '#lib/providers/local-servers.ts';
import { listStoredProviders } from './stored-provider.ts';

/** Model server on this machine. `addedAs` is the existing provider for it. */
export type FoundServer = LocalServer & { addedAs: string | null };

/**
 * Detects model servers on this machine, only on their usual ports of 127.0.0.1. Runs only on explicit request, and only in a local
 * installation.
 */
export async function detectLocalServers(
  context: AppContext,
  _actor: Actor,
  find: () => Promise<LocalServer[]> = findLocalServers,
): Promise<Result<FoundServer[]>> {
  if (!context.addresses.allowLoopback)
    return fail('forbidden', 'Hone searches for servers only in local mode. Add them by their address.');
  const [servers, stored] = await Promise.all([find(), listStoredProviders(context.database)]);
  return succeed(
    servers.map((server) => ({
      ...server,
      addedAs:
        stored.find(({ baseUrl }) => baseUrl !== null && normalizeHost(baseUrl) === normalizeHost(server.baseUrl))
          ?.name ?? null,
    })),
  );
}

/** Returns the port if the URL points to this machine. */
function normalizeHost(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { hostname, port, host } = new URL(baseUrl);
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? `this machine:${port}` : host;
}
