import { describe, expect, test } from 'vitest';
import { bearerToken, hashToken, makeToken } from './api-tokens.ts';

const TOKEN = `hone_${'aZ0-_'.repeat(8)}abc`;

describe('makeToken', () => {
  test('creates a different token each time, in a parsable format', () => {
    const made = Array.from({ length: 50 }, makeToken);
    expect(new Set(made).size).toBe(50);
    for (const token of made) expect(bearerToken(`Bearer ${token}`)).toBe(token);
  });
});

test('hashToken returns SHA-256 in hexadecimal', () => {
  expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

describe('bearerToken', () => {
  test.each<[string, string | null, string | null]>([
    ['a token', `Bearer ${TOKEN}`, TOKEN],
    ['the scheme in lower case, with spaces', `  bearer   ${TOKEN} `, TOKEN],
    ['no header', null, null],
    ['an empty header', '', null],
    ['another scheme, which a proxy may require', 'Basic aG9uZTpob25l', null],
    ['a scheme with the same prefix', `BearerToken ${TOKEN}`, null],
    ['a token of another service', 'Bearer sk-abcdef', ''],
    ['a scheme without a token', 'Bearer', ''],
    ['one character too few', `Bearer ${TOKEN.slice(0, -1)}`, ''],
    ['one character too many', `Bearer ${TOKEN}x`, ''],
    ['two tokens', `Bearer ${TOKEN} ${TOKEN}`, ''],
    ['invalid characters', `Bearer ${TOKEN.slice(0, -1)}é`, ''],
    ['a prefix in another case', `Bearer HONE_${TOKEN.slice(5)}`, ''],
  ])('%s', (_name, header, token) => {
    expect(bearerToken(header)).toBe(token);
  });
});
