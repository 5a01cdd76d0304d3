import { seededNumber } from '#lib/core/seeded-number.ts';

/**
 * Fills lists with whole numbers from 0 to below `size` (at least 1), evenly, by Marsaglia's xorshift from a seed: the same seed draws the
 * same. A whole list at a time, for a call for each number would take most of the time.
 */
export function seededDraws(size: number, seed: string): (into: Uint32Array) => void {
  let state = Math.floor(seededNumber(seed) * 0x1_0000_0000) || 1;
  const scale = size / 0x1_0000_0000;
  return (into) => {
    let next = state;
    for (let place = 0; place < into.length; place++) {
      next ^= next << 13;
      next ^= next >>> 17;
      next ^= next << 5;
      into[place] = (next >>> 0) * scale;
    }
    state = next;
  };
}
