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

/** Functions that keep a fraction exact; null for others, and for what is rounded already. */
export function exactFunction(name: string, values: Value[]): Evaluated | null {
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

/** Half away from zero, as people round. `places` may be negative: to tens, hundreds. */
function roundTo(value: Fraction, places: Fraction): Evaluated {
  if (places.over !== 1n || places.top > 1_000n || places.top < -1_000n)
    return 'round takes a whole number of decimal places from -1000 to 1000';
  const scale = powerOf({ top: 10n, over: 1n }, places.top);
  if (scale === null) return TOO_LARGE;
  const top = value.top * scale.top * 2n;
  const over = value.over * scale.over;
  const size = ((top < 0n ? -top : top) + over) / (2n * over);
  return fraction((top < 0n ? -size : size) * scale.over, scale.top) ?? TOO_LARGE;
}

/** Null where the root is no fraction. */
function exactRoot({ top, over }: Fraction): Fraction | null {
  const [a, b] = [wholeRoot(top), wholeRoot(over)];
  return a * a === top && b * b === over ? { top: a, over: b } : null;
}

/** The largest whole number whose square is not above `value` (Newton). */
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

/** The names of all functions, for a tool's description and messages. */
export const FUNCTION_NAMES = [...Object.keys(OF_ONE), 'round', 'min', 'max'];

/** A function of rounded numbers; in words what is wrong where there is no such function or it is given too few or many. */
export function roundedFunction(name: string, given: number[]): number | string {
  const [first, second = 0] = given;
  if (!FUNCTION_NAMES.includes(name))
    return `there is no function ${JSON.stringify(name)}: there are ${FUNCTION_NAMES.join(', ')}`;
  if (first === undefined) return `${name} is given nothing`;
  if (name === 'min') return Math.min(...given);
  if (name === 'max') return Math.max(...given);
  if (name === 'round') return given.length > 2 ? 'round takes a number and decimal places' : roundedTo(first, second);
  const one = Object.hasOwn(OF_ONE, name) ? OF_ONE[name] : undefined;
  return one === undefined || given.length > 1 ? `${name} takes one number` : one(first);
}

function roundedTo(value: number, places: number): number {
  const scale = 10 ** Math.max(-300, Math.min(300, Math.round(places)));
  return (Math.sign(value) * Math.round(Math.abs(value) * scale)) / scale;
}
