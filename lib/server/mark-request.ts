import type { IncomingMessage } from 'node:http';
import { ADDRESS_HEADER, clientAddress, currentProxies, type Proxies } from '#lib/auth/client-address.ts';
import { PAGE_REQUEST_HEADER, pageRequestKind } from '#lib/auth/page-request-kind.ts';
import { PATH_HEADER } from '#lib/auth/sign-in/sign-in-path.ts';
import { preserveHost } from './preserve-host.ts';

/**
 * Writes where a request comes from, and how a page is asked for, into headers of our own: Next takes away its own
 * before ours can read them. What came in under our names is overwritten; only a request of Next to its own server keeps the address
 * of the one behind it.
 */
export function markRequest(request: IncomingMessage, trusted: Proxies = currentProxies()): void {
  const { headers, socket } = request;
  const isFromItself = preserveHost(headers);
  if (!isFromItself || headers[ADDRESS_HEADER] === undefined)
    headers[ADDRESS_HEADER] = clientAddress(socket.remoteAddress, headers['x-forwarded-for'], trusted);
  delete headers[PATH_HEADER];
  headers[PAGE_REQUEST_HEADER] = pageRequestKind(request);
}
