import type { IncomingMessage } from 'node:http';
import { UNKNOWN_METHOD_HEADER } from '#lib/http/find-route.ts';

/** Methods that Next forwards. It answers any other with 405, without a body and `Allow`. */
const KNOWN_TO_NEXT = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Lets the API reject a method that Next does not support, such as PROPFIND. Forwards the request as OPTIONS with the method in a header.
 * Changes `request`. A client that sends the header gets the same rejection.
 */
export function passUnknownMethod(request: IncomingMessage): void {
  const { url = '', method = '' } = request;
  const path = url.split('?', 1)[0] ?? '';
  if (KNOWN_TO_NEXT.includes(method) || !/^\/api(\/|$)/.test(path)) return;
  request.headers[UNKNOWN_METHOD_HEADER] = method;
  request.method = 'OPTIONS';
}
