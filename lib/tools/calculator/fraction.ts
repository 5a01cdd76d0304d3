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
export function toNumber({ top, over }: Fraction): number {
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
