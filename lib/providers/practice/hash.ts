/** A whole number from 0 to 4,294,967,295 that depends on the texts only (FNV-1a with a final mix): the practice model's only chance. */
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

/** The items in an order that depends on the seed only. */
export function shuffled<Item>(items: readonly Item[], seed: string): Item[] {
  return items
    .map((item, at) => ({ item, key: hash(seed, String(at)) }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
