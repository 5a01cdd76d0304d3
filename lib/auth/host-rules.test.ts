import { describe, expect, test } from 'vitest';
import { linkOrigin, openHostRules } from './host-rules.ts';

describe('openHostRules', () => {
  test('allows loopback by its three names, with the port', () => {
    const rules = openHostRules({ port: 3000, host: null, appUrl: null });
    expect(rules.hosts).toEqual(['127.0.0.1:3000', 'localhost:3000', '[::1]:3000']);
    expect(rules.origins).toEqual(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000']);
    expect(rules.appOrigin).toBeNull();
  });

  test('omits the default port, like browsers', () => {
    expect(openHostRules({ port: 80, host: null, appUrl: 'https://hone.example:443/' }).hosts).toEqual([
      '127.0.0.1',
      'localhost',
      '[::1]',
      'hone.example',
    ]);
  });

  test.each([
    ['an IPv4 address', '192.168.1.7', '192.168.1.7:3000'],
    ['a name in upper case', 'Workshop.LOCAL', 'workshop.local:3000'],
    ['an IPv6 address', 'fd00::7', '[fd00::7]:3000'],
    ['an IPv6 address in brackets', '[fd00:0:0::7]', '[fd00::7]:3000'],
  ])('adds the host it listens on: %s', (_name, host, added) => {
    expect(openHostRules({ port: 3000, host, appUrl: null }).hosts).toContain(added);
  });

  test.each([['0.0.0.0'], ['::'], ['[::]']])('adds nothing for the unspecified address %s', (host) => {
    expect(openHostRules({ port: 3000, host, appUrl: null }).hosts).toHaveLength(3);
  });

  test.each([['not a url'], ['javascript:alert(1)'], ['file:///etc/passwd'], ['*'], ['']])(
    'adds nothing for the app URL %j',
    (appUrl) => {
      const rules = openHostRules({ port: 3000, host: null, appUrl });
      expect(rules.hosts).toHaveLength(3);
      expect(rules.appOrigin).toBeNull();
    },
  );

  test('adds the host and origin of the app URL, without its path and user info', () => {
    const rules = openHostRules({ port: 3000, host: null, appUrl: 'https://user@Hone.Example:8443/path?x#y' });
    expect(rules.hosts).toContain('hone.example:8443');
    expect(rules.appOrigin).toBe('https://hone.example:8443');
  });
});

test.each([
  ['the host of the request', null, 'LocalHost:3000', 'http://localhost:3000'],
  ['APP_URL, whatever a proxy sends as host', 'https://hone.example/', 'localhost:3000', 'https://hone.example'],
  ['nothing for a host that is not its own', null, 'evil.example', null],
  ['nothing without a host', null, null, null],
])('links lead to %s', (_name, appUrl, host, origin) => {
  const headers = new Headers(host === null ? {} : { host });
  expect(linkOrigin({ headers }, openHostRules({ port: 3000, host: null, appUrl }))).toBe(origin);
});
