/** Maximum count of due rows per kind, because there may be millions. */
export const MAX_DUE_COUNT = 1_000;

/** Returns the total number of rows over all kinds. */
export function countPurged(purged: Readonly<Record<string, number>>): number {
  return Object.values(purged).reduce((sum, count) => sum + count, 0);
}
