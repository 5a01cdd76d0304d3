import { type Evaluated, type Fraction, fraction, powerOf, TOO_LARGE, type Value } from './fraction.ts';

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
