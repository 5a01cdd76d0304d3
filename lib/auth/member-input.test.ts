import { describe, expect, test } from 'vitest';
import { isSameName, memberEmail, memberName, newPassword } from './member-schema.ts';

describe('memberName', () => {
  test.each([
    ['as it is', 'Ada Lovelace', 'Ada Lovelace'],
    ['with its accents', 'Zoë Ångström', 'Zoë Ångström'],
    ['of another script', '李 雷', '李 雷'],
    ['with white space around', '  Ada   Lovelace ', 'Ada Lovelace'],
    ['with an end of line', 'Ada\nLovelace', 'Ada Lovelace'],
    ['that would turn the line around', 'Ada\u202e Lovelace', 'Ada Lovelace'],
    ['with an emoji that is joined', 'Ada \u{1f469}\u200d\u{1f4bb}', 'Ada \u{1f469}\u200d\u{1f4bb}'],
    ['in wide letters', 'Ａｄａ', 'Ada'],
  ])('is accepted %s', (_name, given, expected) => {
    expect(memberName.parse(given)).toBe(expected);
  });

  test.each([
    ['nothing', ''],
    ['invisible letters alone', '\u200b\u200d'],
    ['81 characters', 'x'.repeat(81)],
    ['a megabyte', 'x'.repeat(1_000_000)],
    ['the person of local mode', 'You'],
    ['its name for others', 'local  owner'],
    ['the same in wide letters', 'ｙｏｕ'],
    ['a name like a program', 'nightly (API token)'],
    ['another letter case of it', 'nightly (api TOKEN)'],
    ['no text', 7],
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
  ['just long enough', 'twelve chars', true],
  ['the longest', 'abcd'.repeat(32), true],
  ['too long', `${'abcd'.repeat(32)}e`, false],
  ['three letters over and over', 'abcabcabcabc', false],
])('checks a password that is %s', (_name, given, expected) => {
  expect(newPassword.safeParse(given).success).toBe(expected);
});
