import { modelFetch } from './call/try-once.ts';
import { PROVIDER_PRESETS } from './provider-kinds.ts';
import { readModelList } from './test-connection.ts';

/** Address on this machine to check. */
type LocalAddress = { name: string; label: string; baseUrl: string };

const LOCAL_ADDRESSES: readonly LocalAddress[] = PROVIDER_PRESETS.flatMap(({ name, label, where, baseUrl }) =>
  where === 'local' && baseUrl !== null ? [{ name, label, baseUrl }] : [],
);

/** Result for an address: a server with models, one that requires a key, something else, or nothing. */
export type LocalServer = LocalAddress & {
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
