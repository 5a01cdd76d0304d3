import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { fail, type Result } from '#lib/core/problem.ts';

/** Destinations that Hone may connect to in addition to public addresses. */
export type AddressRules = {
  /** Allows loopback if the host is written as such (`localhost`, `127.0.0.1`, `[::1]`). For local mode on the user's own machine. */
  allowLoopback: boolean;
  /** Private hosts by name or address, each `host` or `host:port`, in lower case. */
  allowedPrivateHosts: readonly string[];
  /** Refuses loopback in every notation and by every name. For URLs chosen by models because Hone itself listens there. */
  neverLoopback?: boolean;
};

/** Returns the address rules of the installation's environment: loopback in local mode, and the configured private hosts. */
export function addressRules(environment: { mode: 'local' | 'team'; allowedPrivateHosts: string[] }): AddressRules {
  const { mode, allowedPrivateHosts } = environment;
  return { allowLoopback: mode === 'local', allowedPrivateHosts };
}

/** Resolves all addresses of a host name, like `dns.lookup`. */
export type Resolve = (host: string, found: (error: Error | null, addresses: { address: string }[]) => void) => void;

/** Error for a forbidden address. The message names the address, the reason and the remedy. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Returns the problem with a URL as written, or null. The message continues a sentence that begins with the field's name. */
export function urlProblem(text: string, rules: AddressRules): string | null {
  if (!URL.canParse(text)) return 'must be an address such as https://example.com/hook';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `must begin with https:// or http://`;
  if (url.username !== '' || url.password !== '')
    return 'must not contain a user name or password. Receivers check the signature instead';
  const host = hostOf(url);
  if (isIP(host) === 0) {
    return isLoopbackName(host) && !isAllowed(url, 'loopback', rules) ? refusal(host, 'loopback', rules) : null;
  }
  const kind = kindOf(host);
  return isAllowed(url, kind, rules) ? null : refusal(host, kind, rules);
}

/**
 * Like `urlProblem`, but also checks the addresses that the host currently resolves to. An unresolvable host passes because every
 * connection is checked again.
 */
export function addressProblem(
  text: string,
  rules: AddressRules,
  resolve: Resolve = resolveAll,
): Promise<string | null> {
  const problem = urlProblem(text, rules);
  if (problem !== null || !URL.canParse(text) || isIP(hostOf(new URL(text))) !== 0) return Promise.resolve(problem);
  const url = new URL(text);
  return new Promise((settle) => {
    resolve(hostOf(url), (error, addresses) => settle(error === null ? refusedAmong(url, addresses, rules) : null));
  });
}

/** Returns an error for the field with a URL that Hone may not connect to, otherwise null. */
export async function refuseUrl(
  url: string | null | undefined,
  rules: AddressRules,
  field = 'url',
): Promise<Result<never> | null> {
  const problem = url == null ? null : await addressProblem(url, rules);
  return problem === null ? null : fail('invalid', `${field} ${problem}.`, field);
}

/**
 * Creates a lookup for one connection to `url`. The connection uses the checked address, so a host name that now resolves to a forbidden
 * address is refused. Hosts that are IP addresses are never looked up: check them with `urlProblem` before connecting.
 */
export function guardedLookup(url: URL, rules: AddressRules, resolve: Resolve = resolveAll): LookupFunction {
  return (host, options, found) => {
    resolve(host, (error, addresses) => {
      const refused = error === null ? refusedAmong(url, addresses, rules) : null;
      const failure = error ?? (refused === null ? null : new RefusedAddressError(refused));
      const [first] = addresses;
      if (failure !== null || first === undefined) return found(failure ?? new Error(`${host} has no address`), '', 0);
      if (options.all !== true) return found(null, first.address, isIP(first.address));
      found(
        null,
        addresses.map(({ address }) => ({ address, family: isIP(address) })),
      );
    });
  };
}

/**
 * `local` covers private, link-local (with cloud metadata services) and shared networks. `never` covers addresses where no service can be.
 */
type AddressKind = 'public' | 'loopback' | 'local' | 'never';

function refusedAmong(url: URL, addresses: { address: string }[], rules: AddressRules): string | null {
  for (const { address } of addresses) {
    const kind = kindOf(address);
    if (!isAllowed(url, kind, rules)) return refusal(`${hostOf(url)} (${address})`, kind, rules);
  }
  return null;
}

/** Returns true if an address of this kind is permitted for `url`. The rules apply to the host's name, not to its resolved address. */
function isAllowed(url: URL, kind: AddressKind, rules: AddressRules): boolean {
  const { allowLoopback, allowedPrivateHosts } = rules;
  if (kind === 'public') return true;
  if (isNever(kind, rules)) return false;
  const host = hostOf(url);
  const written = isIP(host) === 6 ? `[${host}]` : host;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if ([host, written, `${written}:${port}`].some((name) => allowedPrivateHosts.includes(name))) return true;
  return (
    allowLoopback && kind === 'loopback' && (isLoopbackName(host) || (isIP(host) !== 0 && kindOf(host) === 'loopback'))
  );
}

function isNever(kind: AddressKind, { neverLoopback = false }: AddressRules): boolean {
  return kind === 'never' || (kind === 'loopback' && neverLoopback);
}

/** Returns the host without brackets and without the trailing dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function refusal(shown: string, kind: AddressKind, rules: AddressRules): string {
  const what = {
    public: 'public',
    loopback: 'on this machine',
    local: 'on a private network',
    never: 'no place to post to',
  };
  const remedy = isNever(kind, rules) ? '' : ', unless its host is named in HONE_ALLOWED_PRIVATE_HOSTS';
  return `must be a public address: ${shown} is ${what[kind]}, which is refused${remedy}`;
}

function kindOf(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0) return 'never';
  if (family === 4) return kindIn(V4, address, 'ipv4') ?? 'public';
  const mapped = embeddedV4(address);
  if (mapped !== null) return kindOf(mapped);
  // Only 2000::/3 is allocated for global IPv6 unicast.
  return kindIn(V6, address, 'ipv6') ?? (UNICAST.check(address, 'ipv6') ? 'public' : 'never');
}

function kindIn(lists: Record<string, BlockList>, address: string, family: 'ipv4' | 'ipv6'): AddressKind | null {
  for (const kind of ['never', 'loopback', 'local'] as const) if (lists[kind]?.check(address, family)) return kind;
  return null;
}

/** Returns the IPv4 address embedded in an IPv4-mapped address (`::ffff:7f00:1`) or a NAT64 address (`64:ff9b::7f00:1`). */
function embeddedV4(address: string): string | null {
  const groups = groupsOf(address);
  const head = groups.slice(0, 6).join(':');
  if (head !== '0:0:0:0:0:ffff' && head !== '64:ff9b:0:0:0:0') return null;
  return groups
    .slice(6)
    .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255])
    .join('.');
}

/** Returns the eight groups of an IPv6 address in hexadecimal, without leading zeros. */
function groupsOf(address: string): string[] {
  // URL normalizes to the shortest form, with the last 32 bits in hexadecimal too.
  const short = new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  return tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
}

function resolveAll(host: string, found: Parameters<Resolve>[1]): void {
  dns.lookup(host, { all: true }, (error, addresses) => found(error, error === null ? addresses : []));
}

/** Returns the list of networks such as `10.0.0.0/8`. */
export function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

export function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Source: IANA IPv4 Special-Purpose Address Registry. 168.63.129.16 is Azure's metadata and DNS service, although its number is public. */
const V4 = {
  loopback: blockList(['127.0.0.0/8']),
  local: blockList([
    '10.0.0.0/8',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '168.63.129.16/32',
  ]),
  never: blockList([
    '0.0.0.0/8',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ]),
};

/** Source: IANA IPv6 Special-Purpose Address Registry. 6to4 and Teredo can embed any IPv4 address. */
const V6 = {
  loopback: blockList(['::1/128']),
  local: blockList(['fc00::/7', 'fe80::/10', 'fec0::/10']),
  never: blockList(['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', 'ff00::/8']),
};
const UNICAST = blockList(['2000::/3']);
