/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a text as JSON. Returns texts that are not JSON, and other values, unchanged. */
export function parseJsonOrText(given: unknown): unknown {
  const value = typeof given === 'string' ? parseJson(given) : undefined;
  return value === undefined ? given : value;
}

/** Returns an own property of an object. Null if it has none. */
export function ownValue<Value>(values: Record<string, Value>, name: string): Value | null {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null;
}

/** Returns a JSON value with its objects as lists of members in the order of their names, to compare or hash values. */
export function sortedMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sortedMembers(member)]);
}

/** Returns a JSON value with every text inside it changed. Keys are changed too, unless `changeKey` is given. */
export function mapTexts(value: unknown, change: (text: string) => string, changeKey = change): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one: unknown) => mapTexts(one, change, changeKey));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [changeKey(key), mapTexts(member, change, changeKey)]);
  return Object.fromEntries(members);
}

/** True if a JSON value is nested deeper than `levels`, which also bounds the recursion. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  return levels === 0 || members.some((member) => isDeeper(member, levels - 1));
}
