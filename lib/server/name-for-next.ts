import { isIP } from 'node:net';

/**
 * The host that Next is told it answers at. It calls every loopback address `localhost` in the addresses that proxy.ts is given: under
 * another name it takes the page that proxy.ts shows in the place of another for one of a foreign server, and asks itself for it over HTTP.
 */
export function nameForNext(host: string): string {
  return host === '::1' || (isIP(host) === 4 && host.startsWith('127.')) ? 'localhost' : host;
}
