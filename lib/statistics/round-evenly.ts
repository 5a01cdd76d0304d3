import { roundTo6 } from '#lib/core/round.ts';

/** Rounded to 6 decimals, halves alike below and above 0: the same difference the other way round is the same number. */
export function roundEvenly(value: number): number {
  return value < 0 ? 0 - roundTo6(-value) : roundTo6(value);
}
