import type { IncomingMessage } from 'node:http';
import { keepAskedHost } from '#lib/start/keep-asked-host.ts';
import { ADDRESS_HEADER, clientAddress } from '#lib/team/client-address.ts';
import { isPrefetch, PREFETCH_HEADER } from '#lib/team/is-prefetch.ts';
import { PATH_HEADER } from '#lib/team/sign-in/sign-in-path.ts';

/**
 * Writes where a request comes from, and whether a browser fetches it only ahead of time, into headers of our own: Next takes away its own
 * before ours can read them. What came in under our names is overwritten.
 */
export function markRequest(request: IncomingMessage): void {
  const { headers, socket } = request;
  keepAskedHost(headers);
  headers[ADDRESS_HEADER] = clientAddress(socket.remoteAddress, headers['x-forwarded-for']);
  delete headers[PATH_HEADER];
  delete headers[PREFETCH_HEADER];
  if (isPrefetch(request)) headers[PREFETCH_HEADER] = '1';
}
