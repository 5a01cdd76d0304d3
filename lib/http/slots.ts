declare global {
  // Each route has its own module instances. Only `globalThis` is shared.
  var honeSlots: Map<string, number> | undefined;
}

/**
 * Takes one of a person's `most` slots for concurrent uploads or streams in this process. Returns a function that releases the slot, where
 * repeated calls have no effect. Null if all slots are taken.
 */
export function takeSlot(kind: 'upload' | 'stream', person: string, most: number): (() => void) | null {
  globalThis.honeSlots ??= new Map();
  const slots = globalThis.honeSlots;
  const key = `${kind} ${person}`;
  const taken = slots.get(key) ?? 0;
  if (taken >= most) return null;
  slots.set(key, taken + 1);
  let isGivenBack = false;
  return () => {
    if (isGivenBack) return;
    isGivenBack = true;
    const left = (slots.get(key) ?? 1) - 1;
    if (left > 0) slots.set(key, left);
    else slots.delete(key);
  };
}
