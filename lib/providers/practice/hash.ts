/**
 * Returns an integer from 0 to 4,294,967,295 that depends only on the texts (FNV-1a with a final mix). It is the practice model's only
 * source of randomness.
 */
export function hash(...texts: string[]): number {
  let value = 0x811c9dc5;
  for (const text of texts) {
    for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
    value = Math.imul(value ^ 0xff, 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Returns the items in an order that depends only on the seed. */
export function shuffled<Item>(items: readonly Item[], seed: string): Item[] {
  return items
    .map((item, at) => ({ item, key: hash(seed, String(at)) }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
