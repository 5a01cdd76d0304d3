/** A rational number in lowest terms. `over` is positive. */
export type Fraction = { top: bigint; over: bigint };
/** An exact fraction, or a rounded number. */
export type Value = Fraction | number;

/** The reason an expression has no value, phrased to follow "…, because". */
export class CalculationError extends Error {
  constructor(problem = 'a number in it has more digits than are calculated with') {
    super(problem);
  }
}

/** Maximum size of a power, so that no calculation blocks the process. The limit of about 3,000 digits exceeds any practical need. */
const MAX_BITS = 10_000n;

/** Returns a fraction in lowest terms. Throws if its numbers are too long. `over` must not be 0. */
export function fraction(top: bigint, over: bigint): Fraction {
  if (isTooLong(top) || isTooLong(over)) throw new CalculationError();
  const shared = greatestDivisor(top, over) * (over < 0n ? -1n : 1n);
  return { top: top / shared, over: over / shared };
}

/** Returns an integer power. Throws if it would be too long. For 0 the exponent must not be negative. */
export function powerOf({ top, over }: Fraction, exponent: bigint): Fraction {
  const size = exponent < 0n ? -exponent : exponent;
  const isOne = over === 1n && (top === 0n || top === 1n || top === -1n);
  if (!isOne && size * BigInt(Math.max(bitsOf(top), bitsOf(over))) > MAX_BITS) throw new CalculationError();
  // For 0, 1 and -1 only the parity of the exponent matters.
  const times = isOne && size > 1n ? 2n - (size % 2n) : size;
  return exponent < 0n ? fraction(over ** times, top ** times) : fraction(top ** times, over ** times);
}

/** Returns the nearest double, even if numerator and denominator exceed the range of a double. Infinite if the value does. */
function toNumber({ top, over }: Fraction): number {
  const shift = Math.max(0, 80 + bitsOf(over) - bitsOf(top));
  return Number((top << BigInt(shift)) / over) * 2 ** -shift;
}

function isTooLong(value: bigint): boolean {
  return BigInt(bitsOf(value)) > MAX_BITS * 2n;
}

function bitsOf(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4;
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one < 0n ? -one : one, other < 0n ? -other : other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** Returns a finite number unchanged. Throws for any other. */
export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new CalculationError(Number.isNaN(value) ? 'it has no real value' : 'it is too large');
}

export function asNumber(value: Value): number {
  return typeof value === 'number' ? value : toNumber(value);
}

/** Maximum number of digits written out. A longer number is shown as its leading digits and a power of ten. */
const MAX_DIGITS = 100;
const LEADING_DIGITS = 30;
const DECIMALS = 20n;

/** Returns a value as digits. `isExact` is true if they are exact. */
export function showNumber(value: Value): { text: string; isExact: boolean } {
  if (typeof value === 'number') return { text: String(Object.is(value, -0) ? 0 : value), isExact: false };
  const sign = value.top < 0n ? '-' : '';
  const size = { top: value.top < 0n ? -value.top : value.top, over: value.over };
  const decimals = decimalPlaces(size.over);
  if (decimals === null || decimals > MAX_DIGITS) return rounded(size, sign);
  const digits = ((size.top * 10n ** BigInt(decimals)) / size.over).toString();
  if (digits.length > MAX_DIGITS) return long(digits, decimals, sign);
  return { text: sign + withPoint(digits, decimals), isExact: true };
}

/** Returns the number of decimals of a fraction in lowest terms, or null if they never end. */
function decimalPlaces(over: bigint): number | null {
  let [rest, twos, fives] = [over, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function rounded({ top, over }: Fraction, sign: string): { text: string; isExact: boolean } {
  const digits = ((top * 10n ** DECIMALS * 2n + over) / (over * 2n)).toString();
  // Otherwise all decimals of a very small number would be 0.
  if (digits.length < 10 || digits.length > MAX_DIGITS)
    return { text: sign + String(toNumber({ top, over })), isExact: false };
  return { text: sign + withPoint(digits, Number(DECIMALS)), isExact: false };
}

function long(digits: string, digitCount: number, sign: string): { text: string; isExact: boolean } {
  const leading = ((BigInt(digits.slice(0, LEADING_DIGITS + 1)) + 5n) / 10n).toString();
  const exponent = digits.length - 1 - digitCount + (leading.length - LEADING_DIGITS);
  const decimals = leading.slice(1).replace(/0+$/, '');
  const text = `${sign}${leading.slice(0, 1)}${decimals === '' ? '' : `.${decimals}`}e${exponent < 0 ? '' : '+'}${exponent}`;
  return { text, isExact: /^0*$/.test(digits.slice(LEADING_DIGITS)) };
}

function withPoint(digits: string, decimals: number): string {
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`.replace(/\.?0+$/, '');
}

/** Applies a function that keeps fractions exact. Returns null for other functions and for rounded values. */
export function exactFunction(name: string, values: Value[]): Fraction | null {
  const exact = values.filter((value) => typeof value !== 'number');
  const [first, second] = exact;
  if (first === undefined || exact.length !== values.length) return null;
  if (name === 'min' || name === 'max')
    return exact.reduce((best, one) => (isLess(one, best) === (name === 'min') ? one : best));
  if (name === 'abs' && second === undefined) return { top: first.top < 0n ? -first.top : first.top, over: first.over };
  if (name === 'floor' && second === undefined) return { top: floorOf(first), over: 1n };
  if (name === 'ceil' && second === undefined)
    return { top: -floorOf({ top: -first.top, over: first.over }), over: 1n };
  if (name === 'round' && exact.length <= 2) return roundTo(first, second ?? { top: 0n, over: 1n });
  if (name === 'sqrt' && second === undefined && first.top >= 0n) return exactRoot(first);
  return null;
}

/** Rounds half away from zero. `places` may be negative, to round to tens or hundreds. */
function roundTo(value: Fraction, decimals: Fraction): Fraction {
  if (decimals.over !== 1n || decimals.top > 1_000n || decimals.top < -1_000n)
    throw new CalculationError('round takes a whole number of decimal places from -1000 to 1000');
  const scale = powerOf({ top: 10n, over: 1n }, decimals.top);
  const top = value.top * scale.top * 2n;
  const over = value.over * scale.over;
  const size = ((top < 0n ? -top : top) + over) / (2n * over);
  return fraction((top < 0n ? -size : size) * scale.over, scale.top);
}

/** Returns the square root, or null if it is not a fraction. */
function exactRoot({ top, over }: Fraction): Fraction | null {
  const [a, b] = [wholeRoot(top), wholeRoot(over)];
  return a * a === top && b * b === over ? { top: a, over: b } : null;
}

/** Returns the largest integer whose square is at most `value` (Newton's method). */
function wholeRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) / 2n;
    if (next >= root) return root;
    root = next;
  }
}

function isLess(one: Fraction, other: Fraction): boolean {
  return one.top * other.over < other.top * one.over;
}

function floorOf({ top, over }: Fraction): bigint {
  return top / over - (top < 0n && top % over !== 0n ? 1n : 0n);
}

const OF_ONE: Record<string, (x: number) => number> = {
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  exp: Math.exp,
  ln: Math.log,
  log: Math.log10,
  log10: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
};

/** Names of all functions, for tool descriptions and messages. */
export const FUNCTION_NAMES = [...Object.keys(OF_ONE), 'round', 'min', 'max'];

/** Applies a function to rounded numbers. Throws for an unknown function or a wrong number of arguments. */
export function roundedFunction(name: string, given: number[]): number {
  const [first, second = 0] = given;
  if (!FUNCTION_NAMES.includes(name))
    throw new CalculationError(`there is no function ${JSON.stringify(name)}: there are ${FUNCTION_NAMES.join(', ')}`);
  if (first === undefined) throw new CalculationError(`${name} is given nothing`);
  if (name === 'min') return Math.min(...given);
  if (name === 'max') return Math.max(...given);
  if (name === 'round') {
    if (given.length > 2) throw new CalculationError('round takes a number and decimal places');
    return roundedTo(first, second);
  }
  const one = OF_ONE[name];
  if (one === undefined || given.length > 1) throw new CalculationError(`${name} takes one number`);
  return one(first);
}

function roundedTo(value: number, decimals: number): number {
  const scale = 10 ** Math.max(-300, Math.min(300, Math.round(decimals)));
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale;
}
