import { BlockList, isIP, SocketAddress } from 'node:net';
import { type Environment, parseEnvironment } from '#lib/environment.ts';

/** The request header in which the server tells its pages where a request comes from. What came in under this name is overwritten. */
export const ADDRESS_HEADER = 'x-hone-address';

/** Proxies whose X-Forwarded-For is believed: by their addresses, or by how many of them stand one behind the other. */
export type Proxies = BlockList | number;

/** `nets`: as `HONE_TRUSTED_PROXIES` is read. */
export function openProxies(nets: Environment['trustedProxies']): Proxies {
  if (typeof nets === 'number') return nets;
  const list = new BlockList();
  for (const net of nets) {
    const [address = '', bits] = net.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

let proxies: Proxies | null = null;

/** The proxies of this process, from its environment, read once. Throws where the environment is wrong: the start refuses that first. */
export function currentProxies(): Proxies {
  if (proxies !== null) return proxies;
  const environment = parseEnvironment(process.env);
  if (!environment.ok) throw new Error(environment.problem.message);
  proxies = openProxies(environment.value.trustedProxies);
  return proxies;
}

/**
 * Where a request comes from: the socket's other end; where that is a trusted proxy, the last entry of X-Forwarded-For that no
 * trusted proxy stands for. Entries before it are what the asker claims, and so is every entry of a request that came past the proxies.
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
 * What limits count an address as: whoever has one IPv6 address has all 2^64 of its net, so that they count as one; IPv4 mapped to IPv6
 * is IPv4. What is no address stays as it is.
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

/** The address alone in its shortest form, without port, brackets or zone, IPv4 mapped to IPv6 as IPv4; null where it is none. */
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

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
