/** The moments a year begins and ends at, UTC; the end is not a part of it. */
export function yearBounds(year: number): { from: Date; to: Date } {
  return { from: new Date(Date.UTC(year, 0)), to: new Date(Date.UTC(year + 1, 0)) };
}
