import { type Fraction, toNumber, type Value } from './fraction.ts';

/** Digits of a number that are written out; a longer one is given by its first ones and a power of ten. */
const MOST_DIGITS = 100;
/** Of a longer one, digits that are given. */
const LEADING_DIGITS = 30;
/** Decimals of a number that has more or no end. */
const DECIMALS = 20n;

/** A value in digits, and whether they are the very number. */
export function showNumber(value: Value): { text: string; isExact: boolean } {
  if (typeof value === 'number') return { text: String(Object.is(value, -0) ? 0 : value), isExact: false };
  const sign = value.top < 0n ? '-' : '';
  const size = { top: value.top < 0n ? -value.top : value.top, over: value.over };
  const places = decimalPlaces(size.over);
  if (places === null || places > MOST_DIGITS) return rounded(size, sign);
  const digits = ((size.top * 10n ** BigInt(places)) / size.over).toString();
  if (digits.length > MOST_DIGITS) return long(digits, places, sign);
  return { text: sign + withPoint(digits, places), isExact: true };
}

/** How many decimals a fraction in lowest terms has; null where they never end. */
function decimalPlaces(over: bigint): number | null {
  let [rest, twos, fives] = [over, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function rounded({ top, over }: Fraction, sign: string): { text: string; isExact: boolean } {
  const digits = ((top * 10n ** DECIMALS * 2n + over) / (over * 2n)).toString();
  // Of a very small one the decimals would all be 0.
  if (digits.length < 10 || digits.length > MOST_DIGITS)
    return { text: sign + String(toNumber({ top, over })), isExact: false };
  return { text: sign + withPoint(digits, Number(DECIMALS)), isExact: false };
}

function long(digits: string, places: number, sign: string): { text: string; isExact: boolean } {
  const leading = ((BigInt(digits.slice(0, LEADING_DIGITS + 1)) + 5n) / 10n).toString();
  const exponent = digits.length - 1 - places + (leading.length - LEADING_DIGITS);
  const decimals = leading.slice(1).replace(/0+$/, '');
  const text = `${sign}${leading.slice(0, 1)}${decimals === '' ? '' : `.${decimals}`}e${exponent < 0 ? '' : '+'}${exponent}`;
  return { text, isExact: /^0*$/.test(digits.slice(LEADING_DIGITS)) };
}

function withPoint(digits: string, places: number): string {
  if (places === 0) return digits;
  const padded = digits.padStart(places + 1, '0');
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`.replace(/\.?0+$/, '');
}
