import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts';

describe('securityHeaders', () => {
  test.each([
    ['people come by https', 'https://hone.example.org', 'max-age=31536000'],
    ['people come by http', 'http://hone.example.org', undefined],
    ['local mode, where there is no address', null, undefined],
    ['an address that only begins with the word', 'httpsx://hone.example.org', undefined],
  ])('sets HSTS for a year only with https: %s', (_case, appOrigin, expected) => {
    expect(securityHeaders({ appOrigin })['Strict-Transport-Security']).toBe(expected);
  });

  test('sets the same other headers in both cases', () => {
    const { 'Strict-Transport-Security': _year, ...secure } = securityHeaders({
      appOrigin: 'https://hone.example.org',
    });
    expect(secure).toEqual(securityHeaders({ appOrigin: null }));
    expect(secure).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' });
  });
});

describe('contentSecurityPolicy', () => {
  test.each(['script-src', 'style-src'])('%s allows the nonce and no inline code', (directive) => {
    const policy = contentSecurityPolicy('n0nce', false).split('; ');
    const own = policy.find((part) => part.startsWith(`${directive} `)) ?? '';
    expect(own).toContain("'nonce-n0nce'");
    expect(own).not.toMatch(/unsafe/);
  });

  test('allows images only from Hone, so that model output cannot call another server', () => {
    expect(contentSecurityPolicy('n0nce', false)).toContain("img-src 'self' blob: data:;");
  });
});
