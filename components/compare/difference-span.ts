import type { Comparison } from '#lib/compare/schema.ts';

/** The lowest and the highest bound of all arms' intervals: drawn on the same axis they can be held against each other. */
export function differenceSpan({ against, metric }: Pick<Comparison, 'against' | 'metric'>): {
  low: number;
  high: number;
} {
  const ends = against.flatMap((one) => {
    const { difference, low, high } = one[metric];
    return [difference, low, high].filter((end) => end !== null);
  });
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}
