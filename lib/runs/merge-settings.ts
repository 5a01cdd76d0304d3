/** Settings with a change laid over them: objects inside are merged, lists and everything else are replaced whole. */
export function mergeSettings(base: Record<string, unknown>, change: Record<string, unknown>): Record<string, unknown> {
  const result = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const before = Object.hasOwn(base, key) ? base[key] : undefined;
    result[key] = isRecord(before) && isRecord(value) ? mergeSettings(before, value) : value;
  }
  return result;
}

/** Whether a value is an object with names, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
