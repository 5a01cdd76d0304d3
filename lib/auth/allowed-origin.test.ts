import { describe, expect, test } from 'vitest';
import { allowedOrigin, openHostRules, type RequestSource } from './host-rules.ts';

const rules = openHostRules({ port: 3000, host: null, appUrl: 'https://hone.example' });
const local: RequestSource = { host: '127.0.0.1:3000', origin: null, secFetchSite: null };

describe('allowedOrigin', () => {
  test.each<[string, Partial<RequestSource>]>([
    ['a non-browser client, which sends neither header', {}],
    ['a page of this app', { origin: 'http://127.0.0.1:3000', secFetchSite: 'same-origin' }],
    ['an older browser, which sends only Origin', { origin: 'http://127.0.0.1:3000' }],
    ['a browser that omits Origin', { secFetchSite: 'same-origin' }],
    ['localhost with the same Origin', { host: 'LOCALHOST:3000', origin: 'http://localhost:3000' }],
    ['IPv6 loopback with the same Origin', { host: '[::1]:3000', origin: 'http://[::1]:3000' }],
    ['the app URL with the same Origin', { host: 'hone.example', origin: 'https://hone.example' }],
    ['the app URL behind a proxy that changes Host', { origin: 'https://hone.example', secFetchSite: 'same-origin' }],
  ])('allows %s', (_name, source) => {
    expect(allowedOrigin({ ...local, ...source }, rules)).toBe(true);
  });

  test.each<[string, Partial<RequestSource>]>([
    ['Origin: null (sandboxed frame, data URL, redirect)', { origin: 'null' }],
    ['Origin: null with same-origin metadata', { origin: 'null', secFetchSite: 'same-origin' }],
    ['an empty Origin', { origin: '' }],
    ['another site', { origin: 'https://attacker.example' }],
    ['a rebinding name on both headers', { host: 'attacker.example:3000', origin: 'http://attacker.example:3000' }],
    ['another port on this machine', { origin: 'http://127.0.0.1:4000' }],
    ['another host name of this machine', { origin: 'http://localhost:3000' }],
    ['https if the app uses http', { origin: 'https://127.0.0.1:3000' }],
    ['http instead of the https app URL', { host: 'hone.example', origin: 'http://hone.example' }],
    ['an allowed origin as user info', { origin: 'http://127.0.0.1:3000@attacker.example' }],
    ['an allowed origin as prefix', { origin: 'http://127.0.0.1:3000.attacker.example' }],
    ['a trailing slash', { origin: 'http://127.0.0.1:3000/' }],
    ['two origins', { origin: 'http://127.0.0.1:3000 https://attacker.example' }],
    ['a missing Host', { host: null, origin: 'http://127.0.0.1:3000' }],
    ['cross-site metadata without Origin', { secFetchSite: 'cross-site' }],
    ['cross-site metadata with an allowed Origin', { origin: 'http://127.0.0.1:3000', secFetchSite: 'cross-site' }],
    ['same-site metadata (another port or sub-domain)', { secFetchSite: 'same-site' }],
    ['a navigation typed into the address bar', { secFetchSite: 'none' }],
    ['unknown metadata', { secFetchSite: 'SAME-ORIGIN' }],
  ])('rejects %s', (_name, source) => {
    expect(allowedOrigin({ ...local, ...source }, rules)).toBe(false);
  });
});
