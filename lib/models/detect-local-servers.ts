import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findLocalServers, type LocalServer } from '#lib/providers/local-servers.ts';
import { listStoredProviders } from './stored-provider.ts';

/** A server of models on this machine; `addedAs` is the provider that stands for it already. */
export type FoundServer = LocalServer & { addedAs: string | null };

/**
 * Looks which servers of models run on this machine, on their usual ports of 127.0.0.1 and nowhere else. Only where Hone runs on the
 * person's own machine, and only when asked to.
 */
export async function detectLocalServers(
  context: AppContext,
  _actor: Actor,
  find: () => Promise<LocalServer[]> = findLocalServers,
): Promise<Result<FoundServer[]>> {
  if (!context.addresses.allowLoopback)
    return fail('forbidden', 'Servers are looked for in local mode only. Add them by their address.');
  const [servers, stored] = await Promise.all([find(), listStoredProviders(context.database)]);
  return succeed(
    servers.map((server) => ({
      ...server,
      addedAs:
        stored.find(({ baseUrl }) => baseUrl !== null && placeOn(baseUrl) === placeOn(server.baseUrl))?.name ?? null,
    })),
  );
}

/** The port, where an address is one of this machine. */
function placeOn(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const { hostname, port, host } = new URL(baseUrl);
  return /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname) ? `this machine:${port}` : host;
}
