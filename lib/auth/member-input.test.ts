import { describe, expect, test } from 'vitest';
import { isSameName, memberEmail, memberName, newPassword } from './member-schema.ts';

describe('memberName', () => {
  test.each([
    ['unchanged', 'Ada Lovelace', 'Ada Lovelace'],
    ['with accents', 'Zoë Ångström', 'Zoë Ångström'],
    ['in another script', '李 雷', '李 雷'],
    ['with surrounding white space', '  Ada   Lovelace ', 'Ada Lovelace'],
    ['with a line break', 'Ada\nLovelace', 'Ada Lovelace'],
    ['with bidirectional control characters', 'Ada\u202e Lovelace', 'Ada Lovelace'],
    ['with a joined emoji', 'Ada \u{1f469}\u200d\u{1f4bb}', 'Ada \u{1f469}\u200d\u{1f4bb}'],
    ['in full-width letters', 'Ａｄａ', 'Ada'],
  ])('is accepted %s', (_name, given, expected) => {
    expect(memberName.parse(given)).toBe(expected);
  });

  test.each([
    ['an empty name', ''],
    ['only invisible characters', '\u200b\u200d'],
    ['81 characters', 'x'.repeat(81)],
    ['a megabyte of text', 'x'.repeat(1_000_000)],
    ['the name of the local user', 'You'],
    ['the label of the local user', 'local  owner'],
    ['the label of the local user in full-width letters', 'ｙｏｕ'],
    ['the name of an API token', 'nightly (API token)'],
    ['the name of an API token in another case', 'nightly (api TOKEN)'],
    ['a value that is not text', 7],
  ])('is rejected: %s', (_name, given) => {
    expect(memberName.safeParse(given).success).toBe(false);
  });

  test('is compared case-insensitively', () => {
    expect(isSameName('Ada Lovelace', 'ADA LOVELACE')).toBe(true);
    expect(isSameName('Ada', 'Adam')).toBe(false);
  });
});

test.each([
  ['Ada@Example.ORG ', 'ada@example.org'],
  ['a+b@c.example', 'a+b@c.example'],
])('stores the email address %s as %s', (given, expected) => {
  expect(memberEmail.parse(given)).toBe(expected);
});

test.each([
  ['ada'],
  ['@example.org'],
  [`${'x'.repeat(250)}@example.org`],
  ['a b@example.org'],
  ['a@b.example\u0000'],
  ['\u0430da@example.org'],
  ['ada@ex\u0430mple.org'],
  ['ada\u200b@example.org'],
  [null],
])('rejects the email address %j', (given) => {
  expect(memberEmail.safeParse(given).success).toBe(false);
});

test.each([
  ['too short', 'eleven char', false],
  ['exactly the minimum length', 'twelve chars', true],
  ['exactly the maximum length', 'abcd'.repeat(32), true],
  ['too long', `${'abcd'.repeat(32)}e`, false],
  ['three repeated letters', 'abcabcabcabc', false],
])('checks a password that is %s', (_name, given, expected) => {
  expect(newPassword.safeParse(given).success).toBe(expected);
});
