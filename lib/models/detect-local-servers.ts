import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { modelFetch } from '../providers/call/attempt-once.ts';
import { PROVIDER_PRESETS } from '../providers/provider-kinds.ts';
import { readModelList } from '../providers/test-connection.ts';
import { listStoredProviders } from './stored-provider.ts';

type LocalAddress = { name: string; label: string; baseUrl: string };

const LOCAL_ADDRESSES: readonly LocalAddress[] = PROVIDER_PRESETS.flatMap(({ name, label, where, baseUrl }) =>
  where === 'local' && baseUrl !== null ? [{ name, label, baseUrl }] : [],
);

/** Result for an address: a server with models, one that requires a key, something else, or nothing. */
type LocalServer = LocalAddress & {
  state: 'found' | 'needs_key' | 'other' | 'nothing';
  models: string[];
};

const MAX_LIST_BYTES = 2_000_000;
const THIS_MACHINE = { allowLoopback: true, allowedPrivateHosts: [] };

/** Requests a model list from the usual ports of this machine only, in parallel. `timeoutMs` is the timeout of each request (2,000). */
export function findLocalServers(
  servers: readonly LocalAddress[] = LOCAL_ADDRESSES,
  timeoutMs = 2_000,
): Promise<LocalServer[]> {
  return Promise.all(servers.map(async (server) => ({ ...server, ...(await look(server.baseUrl, timeoutMs)) })));
}

async function look(baseUrl: string, timeoutMs: number): Promise<Pick<LocalServer, 'state' | 'models'>> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await modelFetch(THIS_MACHINE, MAX_LIST_BYTES)(`${baseUrl}/models`, { signal }).catch(() => null);
  if (response === null) return { state: 'nothing', models: [] };
  if (response.status === 401 || response.status === 403) {
    await response.body?.cancel();
    return { state: response.headers.get('server') === 'AirTunes' ? 'other' : 'needs_key', models: [] };
  }
  const body = await response.text().catch(() => '');
  const models = response.ok ? readModelList(body) : null;
  return models === null ? { state: 'other', models: [] } : { state: 'found', models };
}

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
