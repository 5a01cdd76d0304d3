import { describe, expect, test } from 'vitest';
import { findPasswordWeakness } from './weak-password.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada.king@engine.example' };

describe('weaknessOf rejects a password that', () => {
  test.each([
    ['is in the list', 'unbelievable'],
    ['is in the list, in upper case', 'Administrator'],
    ['is a common word with digits and punctuation', 'Password2026!'],
    ['is a common word between punctuation', '***dragon***123'],
    ['has substituted characters', 'P@ssw0rd!2026'],
    ['is a repeated common word', 'monkeymonkey'],
    ['is a common word with spaces', 'i l o v e y o u 1 2 3'],
    ['is a keyboard row', 'qwertyuiop[]1'],
    ['is two keyboard rows', 'qwertyuiopasdf'],
    ['is a keyboard column', '1qaz2wsx3edc4rfv'],
    ['is a sequence of digits', '1234567890123'],
    ['is a sequence of the alphabet', 'abcdefghijklmn'],
    ['is a reversed common word', 'nmlkjihgfedcba'],
    ['is in full-width letters', 'ｐａｓｓｗｏｒｄ２０２６'],
  ])('%s', (_name, password) => {
    expect(findPasswordWeakness(password, null)).toMatch(/common password.*Choose another one/);
  });

  test.each([
    ['is the name', 'Ada Lovelace 1815'],
    ['is the name without a space', 'adalovelace1815'],
    ['is the email address', 'ada.king@engine.example'],
    ['is the local part of the email address', 'adaking-adaking'],
    ['is the product name, repeated', 'hone-hone-hone'],
    ['is the product name with a common word', 'hone-password-1'],
  ])('%s', (_name, password) => {
    expect(findPasswordWeakness(password, ADA)).toMatch(
      /your name, your e-mail address or the name Hone.*Choose another one/,
    );
  });
});

test.each([
  ['correct horse battery staple'],
  ['a long enough password'],
  ['quite another passphrase'],
  ['Ada was the first to program'],
  ['hone the knife on grey slate'],
  ['x7#Kq9!vLm2$'],
  ['9274 1836 5502 7719'],
  ['пароль из четырёх слов'],
])('accepts %s', (password) => {
  expect(findPasswordWeakness(password, ADA)).toBeNull();
});
