import type { IncomingMessage } from 'node:http';
import { UNKNOWN_METHOD_HEADER } from '#lib/http/unknown-method-header.ts';

/** Those that Next passes on. To any other it answers 405 by itself, with no body and no `Allow`. */
const KNOWN_TO_NEXT = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Lets the API refuse a method that Next does not know, such as PROPFIND: the request goes on as OPTIONS, with the method in a header.
 * Changes `request`. A client that sends the header itself is only refused.
 */
export function passUnknownMethod(request: IncomingMessage): void {
  const { url = '', method = '' } = request;
  const path = url.split('?', 1)[0] ?? '';
  if (KNOWN_TO_NEXT.includes(method) || !/^\/api(\/|$)/.test(path)) return;
  request.headers[UNKNOWN_METHOD_HEADER] = method;
  request.method = 'OPTIONS';
}
