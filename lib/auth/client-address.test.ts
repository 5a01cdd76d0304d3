import { describe, expect, test } from 'vitest';
import { parseEnvironment } from '#lib/environment.ts';
import { addressGroup, clientAddress, openProxies } from './client-address.ts';

/** Parses the proxies in HONE_TRUSTED_PROXIES. */
function proxiesOf(text: string | undefined) {
  const read = parseEnvironment({ HONE_TRUSTED_PROXIES: text });
  if (!read.ok) throw new Error(read.problem.message);
  return openProxies(read.value.trustedProxies);
}

describe('clientAddress', () => {
  test.each<[string, string | undefined, string | string[] | undefined, string]>([
    ['the socket address without a header', '203.0.113.7', undefined, '203.0.113.7'],
    ['a forwarded header from a public address', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a forwarded header from a private network', '10.2.3.4', '198.51.100.1', '10.2.3.4'],
    ['a proxy on localhost', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a proxy on localhost, IPv4-mapped', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a proxy on localhost, IPv4-mapped in hexadecimal', '::ffff:7f00:1', '198.51.100.1', '198.51.100.1'],
    ['a client-sent entry before the one of the proxy', '127.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['a client-sent entry with the loopback address', '127.0.0.1', '1.2.3.4, 127.0.0.1', '1.2.3.4'],
    ['two headers', '127.0.0.1', ['1.2.3.4', '198.51.100.1'], '198.51.100.1'],
    ['an address with a port', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', '::1', '[2001:DB8::1]:4711', '2001:db8::1'],
    ['IPv6 in long form', '::1', '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['IPv4 mapped to IPv6', '::1', '::FFFF:198.51.100.1', '198.51.100.1'],
    ['an address with a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['an invalid address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['an invalid address before a valid one', '127.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
    ['an empty header', '127.0.0.1', '', '127.0.0.1'],
    ['an empty last entry', '127.0.0.1', '198.51.100.1,', '127.0.0.1'],
    ['a closed socket', undefined, '198.51.100.1', 'unknown'],
  ])('by default: %s', (_name, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, proxiesOf(undefined))).toBe(expected);
  });

  test.each<[string, string, string, string, string]>([
    ['no trusted proxies', 'none', '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['a trusted proxy', '10.2.3.4', '10.2.3.4', '198.51.100.1', '198.51.100.1'],
    ['an address next to a trusted one', '10.2.3.4', '10.2.3.5', '198.51.100.1', '10.2.3.5'],
    ['loopback if another proxy is trusted', '10.2.3.4', '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['a trusted network', '10.2.0.0/16', '10.2.3.4', '198.51.100.1', '198.51.100.1'],
    ['an address outside a trusted network', '10.2.0.0/16', '10.3.0.1', '198.51.100.1', '10.3.0.1'],
    ['a trusted IPv6 network', '2001:db8::/32', '2001:db8:1::1', '2001:db9::1', '2001:db9::1'],
    ['private networks', 'private', '172.18.0.1', '198.51.100.1', '198.51.100.1'],
    ['two proxies in a chain', '10.2.0.0/16,loopback', '127.0.0.1', '1.2.3.4, 198.51.100.1, 10.2.0.9', '198.51.100.1'],
    [
      'a client-sent entry with the address of a trusted proxy',
      '10.2.0.0/16',
      '10.2.0.1',
      '1.2.3.4, 10.2.0.9, 198.51.100.1',
      '198.51.100.1',
    ],
    ['only trusted addresses', '10.2.0.0/16', '10.2.0.1', '10.2.0.3, 10.2.0.2', '10.2.0.3'],
    ['one trusted hop', '1', '203.0.113.7', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['two trusted hops', '2', '203.0.113.7', '1.2.3.4, 198.51.100.1, 203.0.113.8', '198.51.100.1'],
    ['fewer entries than hops', '3', '203.0.113.7', '198.51.100.1', '198.51.100.1'],
    ['no entries for several hops', '2', '203.0.113.7', '', '203.0.113.7'],
    ['two hops, one of which added no address', '2', '203.0.113.7', '1.2.3.4, x, 203.0.113.8', '203.0.113.8'],
  ])('%s', (_name, setting, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, proxiesOf(setting))).toBe(expected);
  });
});

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('rate limits group %s as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
