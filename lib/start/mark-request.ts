import type { IncomingMessage } from 'node:http';
import { ADDRESS_HEADER, clientAddress } from '#lib/team/client-address.ts';
import { PATH_HEADER } from '#lib/team/sign-in/sign-in-path.ts';

/** Writes where a request comes from into a header of our own. What came in under our own names is overwritten. */
export function markRequest(request: IncomingMessage): void {
  const { headers, socket } = request;
  headers[ADDRESS_HEADER] = clientAddress(socket.remoteAddress, headers['x-forwarded-for']);
  delete headers[PATH_HEADER];
}
