import { byPattern, type Finder } from './finder.ts';

const NAME = "[\\p{L}\\p{N}_.+%'-]{1,64}";
const LABEL = '[\\p{L}\\p{N}-]{1,63}';

/**
 * E-mail addresses, also with the sign and the dots in words, and phone numbers: international ones, those written in groups as in North
 * America or behind a leading 0, and any number of 7 to 15 digits that a word such as "phone" announces. Ranges of years, versions,
 * dates and counts are none.
 */
export const PERSONAL_FINDERS: readonly Finder[] = [
  // `git@host:path` is the address of a repository.
  byPattern(
    'e-mail',
    new RegExp(`${NAME}@(?:${LABEL}\\.){1,8}\\p{L}{2,24}(?![\\p{L}\\p{N}_])`, 'gu'),
    (mail) => !mail.startsWith('git@'),
  ),
  byPattern(
    'e-mail',
    new RegExp(`${NAME} ?[\\[(]at[\\])] ?${LABEL}(?:(?: ?[\\[(]dot[\\])] ?|\\.)${LABEL}){1,4}`, 'giu'),
  ),
  byPattern(
    'phone',
    /(?<![\w+])\+[1-9](?:[ .\-/]?\(?\d\)?){7,14}(?!\d)/g,
    (phone) => isGrouped(phone) || digitsIn(phone) >= 10,
  ),
  byPattern(
    'phone',
    /(?<![\w.,-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}([-. ]))[2-9]\d{2}[-. ]\d{4}(?![\w-]|[.,]\d)/g,
    isAmerican,
  ),
  byPattern(
    'phone',
    /(?<![\w.,:/-])(?:\(0\d{1,4}\)|0\d{1,4})[ /-]\d{2,8}(?:[ -]\d{2,8}){0,4}(?![\w:/-]|[.,]\d)/g,
    isNational,
  ),
  byPattern(
    'phone',
    /\b(?:(?:tele)?phone|tel|mobile|fax|whatsapp|sms|hotline)\b(?: (?:number|no\.?))?(?: (?:is|was|at))?[ :.=#"']{0,4}(?<part>[+(]{0,2}\d(?:[ ().\-/]{0,2}\d){6,14})(?!\d)/dgi,
  ),
];

function isAmerican(phone: string, match: RegExpExecArray): boolean {
  const separator = match[1];
  // Three numbers with spaces between are any numbers.
  if (separator === ' ') return false;
  return separator === undefined || phone.at(-5) === separator;
}

function isNational(phone: string): boolean {
  const digits = digitsIn(phone);
  // A date with its day first has eight.
  return digits >= 9 && digits <= 12 && !/^0\d[ /-]\d\d[ /-]\d{4}(?: |$)/.test(phone);
}

function isGrouped(phone: string): boolean {
  return /\d[ .\-/()]+\d/.test(phone);
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}
