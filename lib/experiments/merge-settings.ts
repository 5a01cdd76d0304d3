/**
 * Settings with a change laid over them: objects inside are merged, lists and everything else are replaced whole. An object that is
 * to be of another `type` is replaced whole too: what belongs to the old one would be refused with the new.
 */
export function mergeSettings(base: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    const isMerged = isRecord(before) && isRecord(value) && !isOfAnotherType(before, value);
    result[key] = isMerged ? mergeSettings(before, value) : value;
  }
  return result;
}

/** Whether a value is an object with names, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfAnotherType(before: Record<string, unknown>, value: Record<string, unknown>): boolean {
  return value.type !== undefined && value.type !== before.type;
}
