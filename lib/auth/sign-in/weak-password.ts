import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Name and email address of the password's owner. */
export type PasswordOwner = { name: string; email: string };

const PRODUCT = 'hone';
/** Characters that commonly replace letters in passwords. */
const LETTER_SUBSTITUTES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const KEYBOARD_SEQUENCES = [
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
];
/** Minimum number of letters in a password that are not part of the owner's known data. */
const MIN_UNRELATED_LETTERS = 6;
/** Minimum length of a name part. Shorter ones occur in too many words. */
const MIN_PART_LENGTH = 3;

const COMMON = 'is a common password. Choose another one, for example four unrelated words';
const PERSONAL = `must not be made of your name, your e-mail address or the name ${PRODUCT[0]?.toUpperCase()}${PRODUCT.slice(1)}. Choose another one, for example four unrelated words`;

/**
 * Returns why a password is easy to guess, as a message for its owner, or null. Rejects common passwords, also with digits and signs around
 * them, with letters replaced by signs, or repeated. Rejects keyboard and alphabet sequences too.
 */
export function findPasswordWeakness(password: string, owner: PasswordOwner | null): string | null {
  const plain = fold(password);
  if (isCommon(plain)) return COMMON;
  if (owner === null) return null;
  const own = knownWords(owner).reduce((left, word) => left.replaceAll(word, ' '), plain);
  if (own === plain) return null;
  const letters = own.replace(/[^\p{L}]/gu, '');
  return letters.length < MIN_UNRELATED_LETTERS || isCommon(own) ? PERSONAL : null;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Sorted by length, longest first, so that removing one leaves no remainder of another. */
function knownWords({ name, email }: PasswordOwner): string[] {
  const whole = [name, email, ...email.split('@')].map(fold);
  const joined = whole.map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''));
  const parts = whole.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...whole, ...joined, ...parts, PRODUCT])]
    .filter((word) => word.length >= MIN_PART_LENGTH)
    .sort((one, other) => other.length - one.length);
}

function isCommon(plain: string): boolean {
  const bare = plain.replace(/\s/g, '');
  const forms = [bare, trimmed(bare), spelled(bare), spelled(trimmed(bare)), trimmed(spelled(bare))];
  return forms.some((form) => isListed(form) || isKeyboardSequence(form));
}

/** Removes surrounding digits and signs. */
function trimmed(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

function spelled(text: string): string {
  return [...text].map((sign) => LETTER_SUBSTITUTES[sign] ?? sign).join('');
}

function isListed(text: string): boolean {
  if (COMMON_PASSWORDS.has(text)) return true;
  const half = text.slice(0, text.length / 2);
  const last = text.slice(text.length / 2);
  return half.length >= 4 && half === last && (COMMON_PASSWORDS.has(half) || isKeyboardSequence(half));
}

/** True if the whole text is a sequence of neighbors on the keyboard, in the alphabet or of digits. */
function isKeyboardSequence(text: string): boolean {
  if (text.length < 4) return false;
  const backwards = [...text].reverse().join('');
  if (KEYBOARD_SEQUENCES.some((row) => (row + row).includes(text) || (row + row).includes(backwards))) return true;
  const steps = [...text]
    .slice(1)
    .map((sign, at) => Math.abs((sign.codePointAt(0) ?? 0) - (text.codePointAt(at) ?? 0)));
  return steps.filter((step) => step <= 1 || step === 9).length === steps.length;
}

/** Allowed number of characters in a password. The maximum bounds the cost of hashing. */
export const PASSWORD_LENGTH = { least: 12, most: 128 };
