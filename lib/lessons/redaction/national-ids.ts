import { byPattern, type Finder, isLuhn, remainderOf97, weightedSum } from './finder.ts';

/**
 * National ids of people. Where an id is digits alone in no form of its own, only behind a word that announces it, so that counts and
 * codes stay: United States (SSN), United Kingdom (NINO), Spain (DNI, NIE), Italy (codice fiscale), France (NIR), Germany
 * (Steuer-ID), Poland (PESEL), Netherlands (BSN), Belgium, Sweden, Finland.
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

/** What the characters at odd places count, 0 to 9 and then A to Z. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

function isItalian(id: string): boolean {
  const places = Array.from(id.toUpperCase().slice(0, 15), (sign) =>
    /\d/.test(sign) ? Number(sign) : Number.parseInt(sign, 36) - 10,
  );
  const sum = places.reduce((total, value, place) => total + (place % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value), 0);
  return String.fromCharCode(65 + (sum % 26)) === id.at(-1)?.toUpperCase();
}

function isFrench(id: string): boolean {
  // Corsica's departments 2A and 2B count as 19 and 18.
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
