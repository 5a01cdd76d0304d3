import { type Finder, type Found, isLuhn, remainderOf97 } from './finder.ts';

/** Numbers of payment cards (by their issuer's beginning, length and Luhn digit) and IBANs (by their country's length and modulo 97). */
export const PAYMENT_FINDERS: readonly Finder[] = [findCards, findIbans];

/** How numbers of cards begin, and their lengths: Visa, Mastercard, American Express, Discover, Diners, JCB, UnionPay. */
const CARDS =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6(?:011|4[4-9]\d|5\d\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|62\d{14,17})$/;

/** Digits in groups: a card begins and ends with a group, but other numbers may stand beside it. */
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

/** Characters of an IBAN by country (ISO 13616). */
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

/** Where this many letters and digits end that have at most one space or hyphen between; null where there are not so many. */
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
