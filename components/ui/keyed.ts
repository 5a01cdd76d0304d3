/** Items that have no other name than their place, each with a key for React. */
export function keyed<Item>(items: readonly Item[]): [key: string, item: Item][] {
  return items.map((item, place) => [String(place), item]);
}
