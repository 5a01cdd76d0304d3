import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signInPath, toSafePath } from './sign-in-path.ts';

test.each<[string, string | null, string]>([
  ['a page', '/runs/7', '/runs/7'],
  ['a page with a query', '/compare?of=a,b&add=1', '/compare?of=a,b&add=1'],
  ['an empty path', null, '/'],
  ['another site', 'https://attacker.example/', '/'],
  ['another site without a scheme', '//attacker.example/', '/'],
  ['a backslash', '/\\attacker.example', '/'],
  ['several backslashes', '\\\\attacker.example', '/'],
  ['a javascript: URL', 'javascript:alert(1)', '/'],
  ['a tab that browsers remove', '/\t/attacker.example', '/'],
  ['a line break', '/\n/attacker.example', '/'],
  ['dot segments that lead to two slashes', '/.//attacker.example', '/'],
  ['a path without a slash', 'runs', '/'],
  ['the sign-in page', '/sign-in?to=/x', '/'],
  ['an invitation link', '/join/abc', '/'],
  ['an API route', '/api/v1/export/runs', '/'],
  ['a page whose name starts like an API route', '/joiners', '/joiners'],
  ['a path that is too long', `/${'x'.repeat(2000)}`, '/'],
])('after the sign-in: %s', (_name, path, expected) => {
  expect(toSafePath(path)).toBe(expected);
});

test('any input leads to a path on this site', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `/${text}`),
      ),
      (text) => {
        const to = toSafePath(text);
        expect(new URL(to, 'https://hone.example').origin).toBe('https://hone.example');
        expect(toSafePath(to)).toBe(to);
      },
    ),
  );
});

test('signInPath keeps the return path', () => {
  expect(signInPath('/runs/7?v=1&b=2')).toBe('/sign-in?to=%2Fruns%2F7%3Fv%3D1%26b%3D2');
  expect(signInPath('/')).toBe('/sign-in');
});
