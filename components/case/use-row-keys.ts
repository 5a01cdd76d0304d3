import { useState } from 'react';

/** Returns a React key for each of `count` rows without identifiers. With `remove`, the other rows keep their keys. New rows are last. */
export function useRowKeys(count: number): { keys: number[]; remove: (place: number) => void } {
  const [known, setKnown] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...known) + 1;
  const keys = Array.from({ length: count }, (_, place) => known[place] ?? next + place - known.length);
  return { keys, remove: (place) => setKnown(keys.toSpliced(place, 1)) };
}
