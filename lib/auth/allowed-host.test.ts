import { describe, expect, test } from 'vitest';
import { allowedHost, openHostRules } from './host-rules.ts';

const rules = openHostRules({ port: 3000, host: null, appUrl: 'https://hone.example' });

describe('allowedHost', () => {
  test.each([
    ['the loopback address', '127.0.0.1:3000'],
    ['localhost', 'localhost:3000'],
    ['IPv6 loopback', '[::1]:3000'],
    ['upper case', 'LOCALHOST:3000'],
    ['the app URL', 'hone.example'],
    ['the app URL in mixed case', 'Hone.Example'],
  ])('allows %s', (_name, host) => {
    expect(allowedHost(host, rules)).toBe(true);
  });

  test.each<[string, string | null]>([
    ['a missing Host', null],
    ['an empty Host', ''],
    ['a rebinding name', 'attacker.example:3000'],
    ['a name that starts like loopback', '127.0.0.1.attacker.example:3000'],
    ['a name that ends like loopback', 'attacker-localhost:3000'],
    ['a name below localhost', 'attacker.localhost:3000'],
    ['a wildcard DNS name of loopback', '127.0.0.1.nip.io:3000'],
    ['another port', '127.0.0.1:3001'],
    ['no port', '127.0.0.1'],
    ['a port with leading zeros', '127.0.0.1:03000'],
    ['an empty port', 'localhost:'],
    ['user info before an allowed host', 'attacker@127.0.0.1:3000'],
    ['an allowed host as user info', '127.0.0.1:3000@attacker.example'],
    ['a trailing dot', 'localhost.:3000'],
    ['IPv6 without brackets', '::1:3000'],
    ['IPv6 in its long form', '[0:0:0:0:0:0:0:1]:3000'],
    ['IPv4 mapped into IPv6', '[::ffff:127.0.0.1]:3000'],
    ['IPv6 with a zone', '[::1%25lo]:3000'],
    ['loopback as one number', '2130706433:3000'],
    ['loopback in short form', '127.1:3000'],
    ['loopback in hexadecimal', '0x7f000001:3000'],
    ['another loopback address', '127.0.0.2:3000'],
    ['the unspecified address', '0.0.0.0:3000'],
    ['two hosts', '127.0.0.1:3000, attacker.example'],
    ['surrounding white space', ' 127.0.0.1:3000'],
    ['a scheme', 'http://127.0.0.1:3000'],
    ['a path', '127.0.0.1:3000/x'],
    ['the app URL with a port it does not have', 'hone.example:3000'],
    ['a name below the app URL', 'x.hone.example'],
    ['a Turkish capital I that lower-cases to something else', 'HONE.EXAMPLE\u0130'],
    ['a Kelvin sign', 'localhos\u212A:3000'],
  ])('rejects %s', (_name, host) => {
    expect(allowedHost(host, rules)).toBe(false);
  });
});
