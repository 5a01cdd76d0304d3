/** Returns items with their index as the React key, for items without an identifier. */
export function withIndexKeys<Item>(items: readonly Item[]): [key: string, item: Item][] {
  return items.map((item, index) => [String(index), item]);
}
