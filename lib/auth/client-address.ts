import { type BlockList, isIP, SocketAddress } from 'node:net';
import { type Environment, parseEnvironment } from '#lib/environment.ts';
import { blockList, familyOf } from '#lib/outgoing/outgoing-address.ts';

/** Request header in which the server passes the client address to pages. A value sent by the client is overwritten. */
export const ADDRESS_HEADER = 'x-hone-address';

/** Proxies whose X-Forwarded-For is trusted: their addresses, or the number of chained proxies. */
export type Proxies = BlockList | number;

/** `nets`: the parsed value of `HONE_TRUSTED_PROXIES`. */
export function openProxies(nets: Environment['trustedProxies']): Proxies {
  return typeof nets === 'number' ? nets : blockList(nets);
}

let proxies: Proxies | null = null;

/**
 * Returns the trusted proxies of this process, parsed once from its environment. Throws if the environment is invalid, but startup rejects
 * that first.
 */
export function currentProxies(): Proxies {
  if (proxies !== null) return proxies;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  proxies = openProxies(environment.value.trustedProxies);
  return proxies;
}

/**
 * Returns the address of the client: the socket's peer or, if that is a trusted proxy, the last entry of X-Forwarded-For that is not a
 * trusted proxy. Earlier entries are unverified claims, as are all entries of a request that bypassed the proxies.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | string[] | undefined,
  trusted: Proxies,
): string {
  const socket = plainAddress(peer ?? '');
  if (socket === null) return 'unknown';
  const entries = [forwardedFor ?? []].flat().join(',').split(',').reverse();
  let address = socket;
  for (const [hop, entry] of entries.entries()) {
    if (!isProxy(address, hop, trusted)) break;
    const before = plainAddress(entry);
    if (before === null) break;
    address = before;
  }
  return address;
}

function isProxy(address: string, hop: number, trusted: Proxies): boolean {
  return typeof trusted === 'number' ? hop < trusted : trusted.check(address, familyOf(address));
}

/**
 * Returns the key under which limits count an address. IPv6 addresses count by their /64 network, because a client owns all of its 2^64
 * addresses. IPv4-mapped IPv6 counts as IPv4. Other texts are returned unchanged.
 */
export function addressGroup(address: string): string {
  const plain = plainAddress(address);
  if (plain === null || isIP(plain) === 4) return plain ?? address;
  const [head = '', tail] = plain.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const filled = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return `${filled.slice(0, 4).join(':')}::/64`;
}

/** Returns the address in its shortest form, without port, brackets or zone. IPv4-mapped IPv6 becomes IPv4. Null if invalid. */
function plainAddress(text: string): string | null {
  const trimmed = text.trim().toLowerCase();
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(\d+(?:\.\d+){3})(?::\d+)?$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, '');
  if (isIP(address) === 0) return null;
  if (isIP(address) === 4) return address;
  const short = new SocketAddress({ address, family: 'ipv6' }).address;
  return /^::ffff:(\d+(?:\.\d+){3})$/.exec(short)?.[1] ?? short;
}
