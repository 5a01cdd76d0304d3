import { errorFunction, probit } from 'simple-statistics';

/** The share of the standard normal distribution below `value`, right to about 7 digits also far out. */
export function normalBelow(value: number): number {
  return (1 + errorFunction(value / Math.SQRT2)) / 2;
}

/** The value that this share of the standard normal distribution lies below; `share` from above 0 to below 1. */
export function normalPoint(share: number): number {
  if (share > 0.5) return -normalPoint(1 - share);
  // The library's is off by up to 0.002: Newton's steps mend that.
  let value = probit(share);
  for (let step = 0; step < NEWTON_STEPS; step++) value -= (normalBelow(value) - share) / density(value);
  return value;
}

/** The 97.5 % point: 95 % of the distribution lie within as much below and above 0. */
export const Z_95 = 1.959964;

const NEWTON_STEPS = 4;

function density(value: number): number {
  return Math.exp(-value * value * 0.5) / Math.sqrt(2 * Math.PI);
}
