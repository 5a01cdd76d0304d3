declare global {
  // Routes are module instances of their own; only `globalThis` is shared.
  var honeSlots: Map<string, number> | undefined;
}

/**
 * Takes one of what a person may have open at the same time in this process; answers how to give it back, where more than once is as
 * once, or null where all `most` are taken.
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
