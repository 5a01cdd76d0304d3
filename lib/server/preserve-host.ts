import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const ASKED_HOST_HEADER = 'x-hone-asked-host';
/** Of this process: who knows it is this process. */
const SECRET = randomBytes(24).toString('base64url');

/**
 * Keeps the host that was asked for through the requests that Next sends to itself: an action that comes from another page than its own
 * (as from one that was just left) and the page an action leads to, both with the headers of the request behind them but the address of
 * this server as their host. Changes `headers`; what a stranger claims under this name is overwritten. Answers whether it is such a request.
 */
export function preserveHost(headers: IncomingHttpHeaders): boolean {
  const [secret = '', host = ''] = String(headers[ASKED_HOST_HEADER] ?? '').split(' ', 2);
  const isFromItself = isOwn(secret);
  if (isFromItself) headers.host = host;
  else headers[ASKED_HOST_HEADER] = `${SECRET} ${headers.host ?? ''}`;
  return isFromItself;
}

function isOwn(secret: string): boolean {
  return (
    secret.length === SECRET.length && timingSafeEqual(Buffer.from(secret, 'latin1'), Buffer.from(SECRET, 'latin1'))
  );
}
