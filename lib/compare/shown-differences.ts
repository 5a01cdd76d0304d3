/** More bars than these are no longer told apart. */
const MOST = 200;

/** Differences from the lowest to the highest; of very many as many as can be drawn, at even ranks, the ends among them. */
export function shownDifferences(differences: readonly number[]): number[] {
  const sorted = differences.toSorted((one, other) => one - other);
  if (sorted.length <= MOST) return sorted;
  const step = (sorted.length - 1) / (MOST - 1);
  return Array.from({ length: MOST }, (_, place) => sorted[Math.round(place * step)] ?? 0);
}
