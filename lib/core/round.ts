/**
 * Rounds to 6 decimals, so that sums of scores such as 0.1 + 0.2 compare as expected. In a separate file, because every page formats
 * scores.
 */
export function roundTo6(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
