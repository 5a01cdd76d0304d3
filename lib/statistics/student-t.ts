import { gammaln } from 'simple-statistics';
import { Z_95 } from './standard-normal.ts';

/**
 * How likely a value of Student's t at least this far from 0 is, on either side; `degrees` of freedom at least 1. From 1 (at 0) to 0.
 * Source: Abramowitz & Stegun 1964, 26.7.1 with 26.5.8, the incomplete beta function by its continued fraction.
 */
export function twoSidedT(value: number, degrees: number): number {
  if (!Number.isFinite(value)) return 0;
  return incompleteBeta(degrees / (degrees + value * value), degrees / 2, 0.5);
}

/** The 97.5 % point of Student's t: from the table up to 10 degrees of freedom, above by Cornish and Fisher's expansion (off by under 0.0001). */
export function tQuantile(degrees: number): number {
  const listed = T_TABLE[degrees - 1];
  if (listed !== undefined) return listed;
  const z = Z_95;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}

const T_TABLE = [12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.306, 2.26216, 2.22814];
const TERMS = 300;
const CLOSE_ENOUGH = 1e-14;
/** Stands for 0 where it would be divided by. */
const TINY = 1e-300;

function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log(1 - x));
  // On this side of the mean the fraction comes to its end soon.
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Lentz's way through the continued fraction. */
function fraction(x: number, a: number, b: number): number {
  let over = 1;
  let under = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let value = under;
  for (let term = 1; term <= TERMS; term++) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    under = 1 / notZero(1 + even * under);
    over = notZero(1 + even / over);
    value *= under * over;
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    under = 1 / notZero(1 + odd * under);
    over = notZero(1 + odd / over);
    const change = under * over;
    value *= change;
    if (Math.abs(change - 1) < CLOSE_ENOUGH) return value;
  }
  return value;
}

function notZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
