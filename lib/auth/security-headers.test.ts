import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy, securityHeaders } from './security-headers.ts';

describe('securityHeaders', () => {
  test.each([
    ['with an https app URL', 'https://hone.example.org', 'max-age=31536000'],
    ['with an http app URL', 'http://hone.example.org', undefined],
    ['in local mode, without an app URL', null, undefined],
    ['with an app URL that only starts with https', 'httpsx://hone.example.org', undefined],
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
