import { byPattern, type Finder, type Found, isLuhn, remainderOf97, weightedSum } from './find-by-pattern.ts';

const NAME = "[\\p{L}\\p{N}_.+%'-]{1,64}";
const LABEL = '[\\p{L}\\p{N}-]{1,63}';

/**
 * Finds e-mail addresses, including those with the @ sign and dots spelled out, and phone numbers. Phone numbers are international ones,
 * ones grouped as in North America or after a leading 0, and any 7 to 15 digits announced by a word such as "phone". Year ranges, versions,
 * dates and counts do not match.
 */
export const PERSONAL_FINDERS: readonly Finder[] = [
  // `git@host:path` is a repository address.
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
  // Three numbers separated by spaces need not be a phone number.
  if (separator === ' ') return false;
  return separator === undefined || phone.at(-5) === separator;
}

function isNational(phone: string): boolean {
  const digits = digitsIn(phone);
  // A date that starts with the day has eight digits.
  return digits >= 9 && digits <= 12 && !/^0\d[ /-]\d\d[ /-]\d{4}(?: |$)/.test(phone);
}

function isGrouped(phone: string): boolean {
  return /\d[ .\-/()]+\d/.test(phone);
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}

/** Finds payment card numbers (by issuer prefix, length and Luhn digit) and IBANs (by country length and modulo 97). */
export const PAYMENT_FINDERS: readonly Finder[] = [findCards, findIbans];

/** Prefixes and lengths of card numbers: Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay. */
const CARDS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|62\d{14,17})$/;

/** Finds card numbers in grouped digits. A card begins and ends with a group, but other numbers may be adjacent. */
function findCards(text: string): Found[] {
  const found: Found[] = [];
  for (const { index, 0: run } of text.matchAll(/(?<![\w.])\d{1,19}(?:[ -]\d{1,19})*(?![\w]|\.\d)/g)) {
    const groups = [...run.matchAll(/\d+/g)].map((group) => ({ start: index + group.index, digits: group[0] }));
    for (let first = 0; first < groups.length; first++) {
      let digits = '';
      for (let last = first; last < groups.length && digits.length < 19; last++) {
        const group = groups[last];
        const start = groups[first]?.start;
        if (group === undefined || start === undefined) break;
        digits += group.digits;
        if (!CARDS.test(digits) || !isLuhn(digits)) continue;
        found.push({ kind: 'card', start, end: group.start + group.digits.length });
        first = last;
        break;
      }
    }
  }
  return found;
}

/** Length of an IBAN by country, in characters (ISO 13616). */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 ' +
    'GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 ' +
    'MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 ' +
    'TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))] as const),
);

function findIbans(text: string): Found[] {
  const found: Found[] = [];
  for (const { index } of text.matchAll(/(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g)) {
    const length = IBAN_LENGTHS.get(text.slice(index, index + 2).toUpperCase());
    if (length === undefined) continue;
    const end = endOf(text, index, length);
    if (end !== null && isIban(text.slice(index, end))) found.push({ kind: 'IBAN', start: index, end });
  }
  return found;
}

/** Returns the index after `length` letters and digits separated by at most one space or hyphen. Returns null if there are too few. */
function endOf(text: string, start: number, length: number): number | null {
  let at = start;
  for (let count = 0; count < length; at++) {
    const sign = text[at] ?? '';
    if (/[A-Za-z0-9]/.test(sign)) count++;
    else if (!/[ -]/.test(sign) || !/[A-Za-z0-9]/.test(text[at - 1] ?? '')) return null;
  }
  return /[A-Za-z0-9]/.test(text[at] ?? '') ? null : at;
}

function isIban(written: string): boolean {
  const iban = written.replace(/[ -]/g, '').toUpperCase();
  const digits = Array.from(iban.slice(4) + iban.slice(0, 4), (sign) => String(Number.parseInt(sign, 36))).join('');
  return remainderOf97(digits) === 1;
}

/**
 * Finds national ids of people. An id of digits without a distinctive format matches only after a word that announces it, so that counts
 * and codes are kept. Covers the United States (SSN), United Kingdom (NINO), Spain (DNI, NIE), Italy (codice fiscale), France (NIR),
 * Germany (Steuer-ID), Poland (PESEL), Netherlands (BSN), Belgium, Sweden and Finland.
 */
export const NATIONAL_ID_FINDERS: readonly Finder[] = [
  byPattern('national id', /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g),
  byPattern(
    'national id',
    /\b(?:SSN|social security)(?: (?:number|no\.?))?(?: is)?[ :#]{0,3}(?<part>(?!000|666|9)\d{3} ?(?!00)\d{2} ?(?!0000)\d{4})(?!\d)/dgi,
  ),
  byPattern(
    'national id',
    /(?<![A-Za-z0-9])(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])/g,
  ),
  byPattern('national id', /(?<![A-Za-z0-9.-])[XYZ]?\d{7,8}-?[A-Z](?![A-Za-z0-9])/g, isSpanish),
  byPattern('national id', /(?<![A-Za-z0-9])[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z](?![A-Za-z0-9])/gi, isItalian),
  byPattern(
    'national id',
    /(?<![\d.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\d-])/g,
    isFrench,
  ),
  byPattern('national id', /(?<![\d.-])\d{2}\.\d{2}\.\d{2}-\d{3}[.-]\d{2}(?![\d-])/g, isBelgian),
  byPattern('national id', /(?<![\d-])(?:\d{2})?\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])[-+]\d{4}(?![\d-])/g, isSwedish),
  byPattern(
    'national id',
    /(?<![A-Za-z0-9-])(?:[0-2]\d|3[01])(?:0[1-9]|1[0-2])\d{2}[-+A-FYXWVU]\d{3}[0-9A-Y](?![A-Za-z0-9-])/g,
    isFinnish,
  ),
  byPattern('national id', /\bPESEL[^\d\n]{0,20}(?<part>\d{11})(?!\d)/dgi, isPolish),
  byPattern('national id', /\b(?:BSN|burgerservicenummer)[^\d\n]{0,20}(?<part>\d{9})(?!\d)/dgi, isDutch),
  byPattern(
    'national id',
    /\b(?:Steuer-?ID|IdNr|Steueridentifikationsnummer|tax id)[^\d\n]{0,20}(?<part>\d{2} ?\d{3} ?\d{3} ?\d{3})(?!\d)/dgi,
    isGerman,
  ),
];

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function isSpanish(id: string): boolean {
  const prefix = 'XYZ'.indexOf(id[0] ?? '');
  const digits = `${prefix > 0 ? prefix : ''}${digitsOf(id)}`;
  if (digits.length !== (prefix === 0 ? 7 : 8)) return false;
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === id.at(-1);
}

/** Values of characters at odd positions: 0 to 9, then A to Z. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isItalian(id: string): boolean {
  const values = Array.from(id.toUpperCase().slice(0, 15), (sign) =>
    /\d/.test(sign) ? Number(sign) : Number.parseInt(sign, 36) - 10,
  );
  const sum = values.reduce((total, value, index) => total + (index % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value), 0);
  return String.fromCharCode(65 + (sum % 26)) === id.at(-1)?.toUpperCase();
}

function isFrench(id: string): boolean {
  // Corsica's departments 2A and 2B are calculated as 19 and 18.
  const digits = digitsOf(id.replace('2A', '19').replace('2B', '18'));
  return digits.length === 15 && 97 - remainderOf97(digits.slice(0, 13)) === Number(digits.slice(13));
}

function isBelgian(id: string): boolean {
  const digits = digitsOf(id);
  const [body, check] = [digits.slice(0, 9), Number(digits.slice(9))];
  return [body, `2${body}`].some((number) => 97 - remainderOf97(number) === check);
}

function isSwedish(id: string): boolean {
  return isLuhn(digitsOf(id).slice(-10));
}

function isFinnish(id: string): boolean {
  const number = Number(id.slice(0, 6) + id.slice(7, 10));
  return '0123456789ABCDEFHJKLMNPRSTUVWXY'[number % 31] === id.at(-1);
}

function isPolish(id: string): boolean {
  return weightedSum(id, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
}

function isDutch(id: string): boolean {
  return weightedSum(id, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
}

/** ISO 7064, modulo 11,10. */
function isGerman(id: string): boolean {
  const digits = digitsOf(id);
  const product = Array.from(digits.slice(0, 10)).reduce(
    (carry, digit) => (((Number(digit) + carry) % 10 || 10) * 2) % 11,
    10,
  );
  return (11 - product) % 10 === Number(digits.at(-1));
}
