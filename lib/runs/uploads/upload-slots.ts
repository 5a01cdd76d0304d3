declare global {
  // Routes are module instances of their own; only `globalThis` is shared.
  var honeUploads: Map<string, number> | undefined;
}

/** Takes one of a person's uploads at the same time; answers how to give it back, or null where all `most` are taken. */
export function takeUploadSlot(person: string, most: number): (() => void) | null {
  globalThis.honeUploads ??= new Map();
  const uploads = globalThis.honeUploads;
  const taken = uploads.get(person) ?? 0;
  if (taken >= most) return null;
  uploads.set(person, taken + 1);
  return () => {
    const left = (uploads.get(person) ?? 1) - 1;
    if (left > 0) uploads.set(person, left);
    else uploads.delete(person);
  };
}
