/**
 * The latest items whose lengths together stay within the limit, in their order, and how many are left out before them. An item
 * that does not fit ends the search: nothing older is kept behind a gap.
 */
export function latestThatFit<Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  limit: number,
): { kept: Item[]; left: number } {
  let room = limit;
  let first = items.length;
  for (const item of items.toReversed()) {
    room -= lengthOf(item);
    if (room < 0) break;
    first--;
  }
  return { kept: items.slice(first), left: first };
}

/** The sentence that tells a model of what is left out; nothing where all is there. */
export function leftOut(what: string, count: number): string[] {
  return count === 0 ? [] : [`(${count} earlier ${what}${count === 1 ? '' : 's'} left out, to keep this short.)`];
}
