import { seededNumber } from '../seeded-number.ts';

/** The items in an order that looks like chance and depends on the keys and each item's name only. */
export function shuffled<Item>(items: readonly Item[], nameOf: (item: Item) => string, ...keys: string[]): Item[] {
  return items
    .map((item, place) => ({ item, place, lot: seededNumber(...keys, nameOf(item)) }))
    .sort((one, other) => one.lot - other.lot || one.place - other.place)
    .map(({ item }) => item);
}
