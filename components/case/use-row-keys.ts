import { useState } from 'react';

/** Returns a React key for each of `count` rows without ids. `remove` keeps the keys of the other rows. New rows are added at the end. */
export function useRowKeys(count: number): { keys: number[]; remove: (index: number) => void } {
  const [known, setKnown] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...known) + 1;
  const keys = Array.from({ length: count }, (_, index) => known[index] ?? next + index - known.length);
  return { keys, remove: (index) => setKnown(keys.toSpliced(index, 1)) };
}
