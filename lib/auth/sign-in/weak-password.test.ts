import { describe, expect, test } from 'vitest';
import { findPasswordWeakness } from './weak-password.ts';

const ADA = { name: 'Ada Lovelace', email: 'ada.king@engine.example' };

describe('weaknessOf rejects a password that', () => {
  test.each([
    ['is in the list', 'unbelievable'],
    ['is in the list, in capitals', 'Administrator'],
    ['is a common word with digits and signs', 'Password2026!'],
    ['is a common word between signs', '***dragon***123'],
    ['has signs in the place of letters', 'P@ssw0rd!2026'],
    ['is a common word twice', 'monkeymonkey'],
    ['is a common word with spaces', 'i l o v e y o u 1 2 3'],
    ['is a row of the keyboard', 'qwertyuiop[]1'],
    ['is two rows of it', 'qwertyuiopasdf'],
    ['is a row of it from top to bottom', '1qaz2wsx3edc4rfv'],
    ['is a row of digits', '1234567890123'],
    ['is a row of the alphabet', 'abcdefghijklmn'],
    ['is the same backwards', 'nmlkjihgfedcba'],
    ['is in wide letters', 'ｐａｓｓｗｏｒｄ２０２６'],
  ])('%s', (_name, password) => {
    expect(findPasswordWeakness(password, null)).toMatch(/common password.*Choose another one/);
  });

  test.each([
    ['is the name', 'Ada Lovelace 1815'],
    ['is the name without a space', 'adalovelace1815'],
    ['is the e-mail address', 'ada.king@engine.example'],
    ['is its first half', 'adaking-adaking'],
    ['is the product, over and over', 'hone-hone-hone'],
    ['is the product beside a common word', 'hone-password-1'],
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
