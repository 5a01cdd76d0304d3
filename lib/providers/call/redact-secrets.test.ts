import { expect, test } from 'vitest';
import { redactSecrets, secretsOf } from './redact-secrets.ts';

test.each<[string, string, string | null, string]>([
  ['the key at any position', 'key=abcdef; again abcdef', 'abcdef', 'key=[key]; again [key]'],
  ['a key with pattern characters', 'key a.b+c$', 'a.b+c$', 'key [key]'],
  ['no key', 'all is well', null, 'all is well'],
  ['a key that is too short', 'an apple', 'a', 'an apple'],
  ['a bearer token', 'Bearer abc.def-123', null, '[key]'],
  ['keys in other formats', 'sk-proj-0123456789 and AIzaSy0123456789', null, '[key] and [key]'],
  ['words with the prefix of a key', 'skepticism about pkgconfigurations', null, 'skepticism about pkgconfigurations'],
  ['a query parameter', 'GET /v1?key=123&x=1', null, 'GET /v1?key=[key]&x=1'],
  ['a password in a URL', 'https://anna:pw@host/v1', null, 'https://host/v1'],
])('%s', (_name, text, key, expected) => {
  expect(redactSecrets(text, key)).toBe(expected);
});

test('the secrets of a header include its texts in quotes, which an echo as JSON escapes', () => {
  const authorization = 'Token token="secret-of-a-header"';
  const echo = JSON.stringify({ authorization });
  expect(secretsOf({ apiKey: null, headers: { authorization } }).reduce(redactSecrets, echo)).not.toContain(
    'secret-of',
  );
});
