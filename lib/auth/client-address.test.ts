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
    ['the socket alone', '203.0.113.7', undefined, '203.0.113.7'],
    ['a stranger who claims to be forwarded', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['a neighbour in the private net who claims to be forwarded', '10.2.3.4', '198.51.100.1', '10.2.3.4'],
    ['a proxy on this machine', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a proxy on this machine, IPv4-mapped', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a proxy on this machine, IPv4-mapped in hexadecimal', '::ffff:7f00:1', '198.51.100.1', '198.51.100.1'],
    ['a claim before what the proxy wrote', '127.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['a claim to be this machine', '127.0.0.1', '1.2.3.4, 127.0.0.1', '1.2.3.4'],
    ['two headers', '127.0.0.1', ['1.2.3.4', '198.51.100.1'], '198.51.100.1'],
    ['a port beside it', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['IPv6 with a port', '::1', '[2001:DB8::1]:4711', '2001:db8::1'],
    ['IPv6 in long form', '::1', '2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['IPv4 mapped to IPv6', '::1', '::FFFF:198.51.100.1', '198.51.100.1'],
    ['a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['what is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['what is no address before one', '127.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
    ['nothing', '127.0.0.1', '', '127.0.0.1'],
    ['an empty last entry', '127.0.0.1', '198.51.100.1,', '127.0.0.1'],
    ['a socket that is gone', undefined, '198.51.100.1', 'unknown'],
  ])('by default: %s', (_name, peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, proxiesOf(undefined))).toBe(expected);
  });

  test.each<[string, string, string, string, string]>([
    ['nobody is believed', 'none', '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['a proxy that is named', '10.2.3.4', '10.2.3.4', '198.51.100.1', '198.51.100.1'],
    ['the neighbour of one that is named', '10.2.3.4', '10.2.3.5', '198.51.100.1', '10.2.3.5'],
    ['this machine, where another one is named', '10.2.3.4', '127.0.0.1', '198.51.100.1', '127.0.0.1'],
    ['a net', '10.2.0.0/16', '10.2.3.4', '198.51.100.1', '198.51.100.1'],
    ['beside a net', '10.2.0.0/16', '10.3.0.1', '198.51.100.1', '10.3.0.1'],
    ['a net of IPv6', '2001:db8::/32', '2001:db8:1::1', '2001:db9::1', '2001:db9::1'],
    ['private nets', 'private', '172.18.0.1', '198.51.100.1', '198.51.100.1'],
    ['two proxies in a row', '10.2.0.0/16,loopback', '127.0.0.1', '1.2.3.4, 198.51.100.1, 10.2.0.9', '198.51.100.1'],
    ['a claim to be a proxy', '10.2.0.0/16', '10.2.0.1', '1.2.3.4, 10.2.0.9, 198.51.100.1', '198.51.100.1'],
    ['proxies all the way', '10.2.0.0/16', '10.2.0.1', '10.2.0.3, 10.2.0.2', '10.2.0.3'],
    ['one proxy, by number', '1', '203.0.113.7', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
    ['two proxies, by number', '2', '203.0.113.7', '1.2.3.4, 198.51.100.1, 203.0.113.8', '198.51.100.1'],
    ['fewer entries than proxies', '3', '203.0.113.7', '198.51.100.1', '198.51.100.1'],
    ['none of as many proxies', '2', '203.0.113.7', '', '203.0.113.7'],
    ['two proxies, of which one wrote no address', '2', '203.0.113.7', '1.2.3.4, x, 203.0.113.8', '203.0.113.8'],
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
