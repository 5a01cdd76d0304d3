/**
 * Whether two texts are at least `least` alike (0 to 1) by normalised edit similarity: 1 − Levenshtein distance / longer length.
 * Only distances that can still pass are looked at (Ukkonen's band), so near-equal long texts cost little.
 */
export function areAlike(one: string, other: string, least: number): boolean {
  if (one === other) return true;
  const longer = Math.max(one.length, other.length);
  const allowed = Math.floor((1 - least) * longer + 1e-9);
  return editDistanceWithin(one, other, allowed) !== null;
}

/** The Levenshtein distance in UTF-16 units, or null when it is above `allowed`. */
export function editDistanceWithin(one: string, other: string, allowed: number): number | null {
  if (Math.abs(one.length - other.length) > allowed) return null;
  let start = 0;
  while (start < one.length && start < other.length && one.charCodeAt(start) === other.charCodeAt(start)) start++;
  let oneEnd = one.length;
  let otherEnd = other.length;
  while (oneEnd > start && otherEnd > start && one.charCodeAt(oneEnd - 1) === other.charCodeAt(otherEnd - 1)) {
    oneEnd--;
    otherEnd--;
  }
  return bandedDistance(one.slice(start, oneEnd), other.slice(start, otherEnd), allowed);
}

function bandedDistance(one: string, other: string, allowed: number): number | null {
  const unreachable = allowed + 1;
  let previous = new Uint32Array(other.length + 1).fill(unreachable);
  let current = new Uint32Array(other.length + 1).fill(unreachable);
  for (let column = 0; column <= Math.min(other.length, allowed); column++) previous[column] = column;
  for (let row = 1; row <= one.length; row++) {
    const from = Math.max(0, row - allowed);
    const to = Math.min(other.length, row + allowed);
    let least = unreachable;
    if (from > 0) current[from - 1] = unreachable;
    for (let column = from; column <= to; column++) {
      const value =
        column === 0
          ? row
          : cheapest(previous, current, column, one.charCodeAt(row - 1) === other.charCodeAt(column - 1));
      current[column] = Math.min(value, unreachable);
      least = Math.min(least, value);
    }
    if (to < other.length) current[to + 1] = unreachable;
    if (least > allowed) return null;
    [previous, current] = [current, previous];
  }
  const distance = previous[other.length] ?? unreachable;
  return distance > allowed ? null : distance;
}

function cheapest(previous: Uint32Array, current: Uint32Array, column: number, same: boolean): number {
  const replaced = (previous[column - 1] ?? 0) + (same ? 0 : 1);
  const deleted = (previous[column] ?? 0) + 1;
  const inserted = (current[column - 1] ?? 0) + 1;
  return Math.min(replaced, deleted, inserted);
}
