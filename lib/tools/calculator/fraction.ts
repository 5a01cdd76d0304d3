/** A number in lowest terms: `over` is above 0. */
export type Fraction = { top: bigint; over: bigint };
/** A fraction is exact; a number is rounded. */
export type Value = Fraction | number;
/** A value, or in words what is wrong. */
export type Evaluated = Value | string;

export const TOO_LARGE = 'a number in it has more digits than are calculated with';

/** Size of a power at most, so that no calculation holds up the rest: some 3,000 digits are past any use. */
const MOST_BITS = 10_000n;

/** A fraction in lowest terms; null where its numbers are too long. `over` must not be 0. */
export function fraction(top: bigint, over: bigint): Fraction | null {
  if (isTooLong(top) || isTooLong(over)) return null;
  const shared = greatestDivisor(top, over) * (over < 0n ? -1n : 1n);
  return { top: top / shared, over: over / shared };
}

/** A whole power; null where it would be too long. Of 0 only to an exponent that is not negative. */
export function powerOf({ top, over }: Fraction, exponent: bigint): Fraction | null {
  const size = exponent < 0n ? -exponent : exponent;
  const isOne = over === 1n && (top === 0n || top === 1n || top === -1n);
  if (!isOne && size * BigInt(Math.max(bitsOf(top), bitsOf(over))) > MOST_BITS) return null;
  // Of 0, 1 and -1 only whether the exponent is even counts.
  const times = isOne && size > 1n ? 2n - (size % 2n) : size;
  return exponent < 0n ? fraction(over ** times, top ** times) : fraction(top ** times, over ** times);
}

/** As near as a double comes, also where top and bottom alone are beyond one; infinite where the value is. */
function toNumber({ top, over }: Fraction): number {
  const shift = Math.max(0, 80 + bitsOf(over) - bitsOf(top));
  return Number((top << BigInt(shift)) / over) * 2 ** -shift;
}

function isTooLong(value: bigint): boolean {
  return BigInt(bitsOf(value)) > MOST_BITS * 2n;
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** A number, or in words why it is none. */
export function finite(value: number): Evaluated {
  if (Number.isNaN(value)) return 'it has no real value';
  return Number.isFinite(value) ? value : 'it is too large';
}

export function asNumber(value: Value): number {
  return typeof value === 'number' ? value : toNumber(value);
}

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
