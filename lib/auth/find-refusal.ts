import { allowedHost } from './allowed-host.ts';
import { allowedOrigin } from './allowed-origin.ts';
import type { HostRules } from './host-rules.ts';

/** Why a request is not let in, in words for the person who sent it; null where it is. `writes`: it may change something. */
export function findRefusal(request: { headers: Headers; writes: boolean }, doors: HostRules): string | null {
  const host = request.headers.get('host');
  if (!allowedHost(host, doors)) {
    return 'This host name is not one that Hone answers to. Open Hone by its own address, or set APP_URL to the one you use.';
  }
  const source = { host, origin: request.headers.get('origin'), secFetchSite: request.headers.get('sec-fetch-site') };
  if (request.writes && !allowedOrigin(source, doors)) {
    return 'This request comes from another site. Only pages of Hone itself may change something here.';
  }
  return null;
}
