import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

test.each<[string, string | undefined, string | string[] | undefined, string]>([
  ['the socket alone', '203.0.113.7', undefined, '203.0.113.7'],
  ['a stranger who claims to be forwarded', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
  ['a proxy on this machine', '127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a proxy in IPv6 clothes', '::ffff:127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a proxy in the private net', '10.2.3.4', '198.51.100.1', '198.51.100.1'],
  ['a claim before what the proxy wrote', '127.0.0.1', '1.2.3.4, 198.51.100.1', '198.51.100.1'],
  ['two headers', '127.0.0.1', ['1.2.3.4', '198.51.100.1'], '198.51.100.1'],
  ['a port beside it', '127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6 with a port', '::1', '[2001:DB8::1]:4711', '2001:db8::1'],
  ['a zone', 'fe80::1%eth0', undefined, 'fe80::1'],
  ['what is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
  ['nothing', '127.0.0.1', '', '127.0.0.1'],
  ['an empty last entry', '127.0.0.1', '198.51.100.1,', '127.0.0.1'],
  ['a socket that is gone', undefined, '198.51.100.1', 'unknown'],
])('%s', (_name, peer, forwarded, expected) => {
  expect(clientAddress(peer, forwarded)).toBe(expected);
});
