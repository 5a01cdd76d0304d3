/** Whether no two of the values are the same JSON; the order of an object's members does not matter. */
export function areUnique(values: unknown[]): boolean {
  const seen = new Set<string>();
  for (const value of values) {
    const text = canonical(value);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`;
}
