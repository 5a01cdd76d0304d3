import { describe, expect, test } from 'vitest';
import { cleanInput } from './clean-input.ts';

describe('cleanInput', () => {
  test('reaches every text and name, and keeps all else', () => {
    const given = { 'a\u0000': [{ b: '\uD800' }, 1, true, null], c: { d: 'naïve 😀\n' } };
    const expected = { 'a\uFFFD': [{ b: '\uFFFD' }, 1, true, null], c: { d: 'naïve 😀\n' } };
    expect(cleanInput(given)).toEqual({ ok: true, value: expected });
  });

  test('keeps a member named __proto__ as a member, and touches no prototype', () => {
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
