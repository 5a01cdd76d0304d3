import { describe, expect, test } from 'vitest';
import { cleanInput, cleanText } from './clean-input.ts';

describe('cleanText', () => {
  test.each([
    ['plain text', 'naïve 😀\n', 'naïve 😀\n'],
    ['U+0000', 'a\u0000b\u0000', 'a\uFFFDb\uFFFD'],
    ['a lone high surrogate', 'a\uD83Db', 'a\uFFFDb'],
    ['a lone low surrogate', '\uDE00', '\uFFFD'],
    ['surrogates the wrong way round', '\uDE00\uD83D', '\uFFFD\uFFFD'],
  ])('%s', (_name, given, expected) => {
    expect(cleanText(given)).toBe(expected);
  });
});

describe('cleanInput', () => {
  test('reaches every text and key, and keeps all else', () => {
    const given = { 'a\u0000': [{ b: '\uD800' }, 1, true, null], c: { d: 'ok' } };
    expect(cleanInput(given)).toEqual({
      ok: true,
      value: { 'a\uFFFD': [{ b: '\uFFFD' }, 1, true, null], c: { d: 'ok' } },
    });
  });

  test('keeps a key named __proto__ as a key, and touches no prototype', () => {
    const cleaned = cleanInput(JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(JSON.stringify(cleaned)).toContain('"__proto__"');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test.each([
    ['lists', '[', ']', 100_000],
    ['objects', '{"a":', '}', 101],
  ])('refuses %s nested too deep, without a crash', (_name, open, close, depth) => {
    const given = JSON.parse(`${open.repeat(depth)}1${close.repeat(depth)}`);
    expect(cleanInput(given)).toMatchObject({ ok: false, problem: { code: 'invalid' } });
  });

  test('takes what is nested as deep as allowed', () => {
    expect(cleanInput(JSON.parse(`${'['.repeat(100)}1${']'.repeat(100)}`)).ok).toBe(true);
  });
});
