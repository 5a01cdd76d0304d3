import { describe, expect, test } from 'vitest';
import {
  type AddressRules,
  addressProblem,
  guardedLookup,
  RefusedAddressError,
  type Resolve,
  urlProblem,
} from './outgoing-address.ts';

const NO_EXCEPTIONS: AddressRules = { allowLoopback: false, allowedPrivateHosts: [] };
const LOCAL: AddressRules = { allowLoopback: true, allowedPrivateHosts: [] };
const NAMED: AddressRules = {
  allowLoopback: false,
  allowedPrivateHosts: ['10.0.0.7', 'box:8000', 'hub', '[fd00::7]:9000', '169.254.1.1', '224.0.0.1'],
};

describe('urlProblem', () => {
  test.each([
    ['a public name', 'https://example.com/hook'],
    ['a public address', 'http://93.184.216.34/'],
    ['a public IPv6 address', 'https://[2606:2800:220:1:248:1893:25c8:1946]/hook'],
    ['a port and a query', 'https://example.com:8443/hook?a=1'],
    ['an address next to the private networks', 'http://172.32.0.1/'],
    ['an address next to the shared network', 'http://100.128.0.1/'],
  ])('accepts %s', (_name, url) => {
    expect(urlProblem(url, NO_EXCEPTIONS)).toBeNull();
  });

  test.each([
    ['loopback', 'http://127.0.0.1/', /on this machine/],
    ['a loopback address other than the first', 'http://127.8.9.1/', /on this machine/],
    ['loopback by host name', 'http://localhost:3000/', /on this machine/],
    ['loopback by host name, in upper case and with a dot', 'http://LOCALHOST./', /on this machine/],
    ['a subdomain of localhost', 'http://a.localhost/', /on this machine/],
    ['loopback as one decimal number', 'http://2130706433/', /127\.0\.0\.1/],
    ['loopback in octal', 'http://0177.0.0.1/', /127\.0\.0\.1/],
    ['loopback in hexadecimal', 'http://0x7f.1/', /127\.0\.0\.1/],
    ['loopback in short form', 'http://127.1/', /127\.0\.0\.1/],
    ['loopback with a trailing dot', 'http://127.0.0.1./', /on this machine/],
    ['loopback in full-width digits', 'http://１２７.0.0.1/', /127\.0\.0\.1/],
    ['IPv6 loopback', 'http://[::1]/', /on this machine/],
    ['IPv4-mapped loopback', 'http://[::ffff:127.0.0.1]/', /on this machine/],
    ['IPv4-mapped loopback in hexadecimal', 'http://[::ffff:7f00:1]/', /on this machine/],
    ['an IPv4-mapped private address', 'http://[::ffff:10.0.0.1]/', /private network/],
    ['IPv4-compatible loopback', 'http://[::7f00:1]/', /no place/],
    ['translated loopback', 'http://[64:ff9b::7f00:1]/', /on this machine/],
    ['6to4 of a private address', 'http://[2002:a00:1::]/', /no place/],
    ['Teredo', 'http://[2001:0:4136:e378::1]/', /no place/],
    ['10/8', 'http://10.1.2.3/', /private network/],
    ['172.16/12', 'http://172.31.255.255/', /private network/],
    ['192.168/16', 'http://192.168.0.1/', /private network/],
    ['CGNAT', 'http://100.64.0.1/', /private network/],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data/', /private network/],
    ['cloud metadata over IPv6', 'http://[fd00:ec2::254]/', /private network/],
    ['cloud metadata in the shared network', 'http://100.100.100.200/', /private network/],
    ['cloud metadata at a public address', 'http://168.63.129.16/', /private network/],
    ['link-local IPv6', 'http://[fe80::1]/', /private network/],
    ['site-local IPv6', 'http://[fec0::1]/', /private network/],
    ['unique local IPv6', 'http://[fd12:3456::1]/', /private network/],
    ['unspecified', 'http://0.0.0.0/', /no place/],
    ['unspecified IPv6', 'http://[::]/', /no place/],
    ['multicast', 'http://224.0.0.1/', /no place/],
    ['multicast IPv6', 'http://[ff02::1]/', /no place/],
    ['broadcast', 'http://255.255.255.255/', /no place/],
    ['a documentation address', 'http://192.0.2.1/', /no place/],
    ['an IPv6 documentation address', 'http://[2001:db8::1]/', /no place/],
    ['credentials', 'https://user:word@example.com/', /user name or password/],
    ['a user name without a password', 'https://user@example.com/', /user name or password/],
    ['a file URL', 'file:///etc/passwd', /https:\/\//],
    ['an FTP URL', 'ftp://example.com/', /https:\/\//],
    ['a gopher URL', 'gopher://127.0.0.1:6379/', /https:\/\//],
    ['a javascript URL', 'javascript:alert(1)', /https:\/\//],
    ['a data URL', 'data:text/plain,x', /https:\/\//],
    ['an invalid URL', 'example.com/hook', /must be an address/],
    ['an empty text', '', /must be an address/],
  ])('rejects %s', (_name, url, message) => {
    expect(urlProblem(url, NO_EXCEPTIONS)).toMatch(message);
  });

  test.each([
    ['http://127.0.0.1:4000/', true],
    ['http://localhost:4000/', true],
    ['http://[::1]:4000/', true],
    ['http://0x7f000001/', true],
    ['http://10.0.0.7/', false],
    ['http://169.254.169.254/', false],
    ['http://0.0.0.0:4000/', false],
  ])('local mode allows only loopback in addition: %s', (url, taken) => {
    expect(urlProblem(url, LOCAL) === null).toBe(taken);
  });

  test.each([
    ['an allowed IP address', 'http://10.0.0.7:1234/', true],
    ['an allowed IPv6 address with its port', 'http://[fd00::7]:9000/', true],
    ['another port', 'http://[fd00::7]:9001/', false],
    ['an address next to an allowed one', 'http://10.0.0.8/', false],
    ['an address with the prefix of an allowed one', 'http://10.0.0.77/', false],
    ['a link-local address', 'http://169.254.1.1/', true],
    ['an address that no service can have', 'http://224.0.0.1/', false],
    ['a loopback address that is not allowed', 'http://127.0.0.1/', false],
  ])('with allowed hosts: %s', (_name, url, taken) => {
    expect(urlProblem(url, NAMED) === null).toBe(taken);
  });
});

/** Creates a fake DNS resolver that returns these addresses for any name. */
function names(...addresses: string[]): Resolve {
  return (_host, found) =>
    found(
      null,
      addresses.map((address) => ({ address })),
    );
}

describe('a name that resolves', () => {
  test.each<[string, string, AddressRules, string[], boolean]>([
    ['to a public address', 'https://example.com/', NO_EXCEPTIONS, ['93.184.216.34'], true],
    ['to loopback', 'https://evil.example/', NO_EXCEPTIONS, ['127.0.0.1'], false],
    [
      'to loopback in local mode, which allows only loopback host names',
      'https://evil.example/',
      LOCAL,
      ['127.0.0.1'],
      false,
    ],
    ['from localhost in local mode', 'http://localhost/', LOCAL, ['127.0.0.1', '::1'], true],
    ['from localhost to a private address in local mode', 'http://localhost/', LOCAL, ['10.0.0.1'], false],
    ['to a public and a private address', 'https://evil.example/', NO_EXCEPTIONS, ['93.184.216.34', '10.0.0.1'], false],
    ['to cloud metadata', 'https://metadata.google.internal/', LOCAL, ['169.254.169.254'], false],
    ['to IPv4-mapped loopback', 'https://evil.example/', NO_EXCEPTIONS, ['::ffff:127.0.0.1'], false],
    ['to link-local with a zone', 'https://evil.example/', NO_EXCEPTIONS, ['fe80::1%eth0'], false],
    ['from an allowed host to a private address', 'http://hub/', NAMED, ['10.9.9.9'], true],
    ['from an allowed host and port', 'http://box:8000/', NAMED, ['192.168.1.20'], true],
    ['from an allowed host at another port', 'http://box:22/', NAMED, ['192.168.1.20'], false],
    ['from an allowed host to multicast', 'http://hub/', NAMED, ['224.0.0.1'], false],
  ])('%s', async (_name, url, rules, addresses, taken) => {
    expect((await addressProblem(url, rules, names(...addresses))) === null).toBe(taken);
    expect(await lookUp(url, rules, names(...addresses))).toEqual(
      taken ? addresses[0] : expect.any(RefusedAddressError),
    );
  });

  test('to nothing is accepted when stored and fails when connecting', async () => {
    const nothing: Resolve = (host, found) => found(new Error(`getaddrinfo ENOTFOUND ${host}`), []);
    expect(await addressProblem('https://later.example/', NO_EXCEPTIONS, nothing)).toBeNull();
    expect(await lookUp('https://later.example/', NO_EXCEPTIONS, nothing)).toMatchObject({ message: /ENOTFOUND/ });
    expect(await lookUp('https://later.example/', NO_EXCEPTIONS, names())).toMatchObject({ message: /no address/ });
  });

  test('to another address when connecting than when stored is refused', async () => {
    let asked = 0;
    const rebinding: Resolve = (_host, found) =>
      found(null, [{ address: asked++ === 0 ? '93.184.216.34' : '127.0.0.1' }]);
    expect(await addressProblem('https://evil.example/', NO_EXCEPTIONS, rebinding)).toBeNull();
    expect(await lookUp('https://evil.example/', NO_EXCEPTIONS, rebinding)).toBeInstanceOf(RefusedAddressError);
  });
});

/** Returns the address to connect to or the error; requests one address and all, as Node does. */
async function lookUp(url: string, rules: AddressRules, resolve: Resolve): Promise<unknown> {
  const one = (all: boolean) =>
    new Promise<unknown>((settle) => {
      guardedLookup(new URL(url), rules, resolve)(new URL(url).hostname, { all }, (error, address) => {
        settle(error ?? (typeof address === 'string' ? address : address[0]?.address));
      });
    });
  const fixed = await one(false);
  if (fixed instanceof Error) return fixed;
  expect(await one(true)).toEqual(fixed);
  return fixed;
}
