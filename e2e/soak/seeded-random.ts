/** Pseudo-random numbers from 0 to 1 (exclusive), determined by the seed. Source: mulberry32 by Tommy Ettinger, public domain. */
export type SeededRandom = { next(): number; pick<Item>(items: readonly [Item, ...Item[]]): Item };

export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, pick: (items) => items[Math.floor(next() * items.length)] ?? items[0] };
}
