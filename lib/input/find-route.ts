/** Header with the original method of a request that reaches the API as OPTIONS, because Next does not forward unknown methods. */
export const UNKNOWN_METHOD_HEADER = 'x-hone-unknown-method';

/** An item with a path that has parameters in braces. `{rest}` at the end matches any further segments. */
type Placed = { path: string };

export type Found<Item> = { path: string; items: Item[]; params: Record<string, string> };

/**
 * Creates a function that finds the items for a path, with its parameters still encoded. The most specific path wins: `/runs/import` before
 * `/runs/{id}`, a rest last.
 */
export function createRouter<Item extends Placed>(items: readonly Item[]): (path: string) => Found<Item> | null {
  const byPath = Map.groupBy(items, ({ path }) => path);
  const patterns = [...byPath.keys()]
    .map((path) => ({ path, parts: path.split('/').slice(1) }))
    .sort((one, other) => looseness(one.parts) - looseness(other.parts));
  return (path) => {
    const segments = path.split('/').slice(1);
    const found = patterns.find(({ parts }) => matches(parts, segments));
    if (found === undefined) return null;
    const params = Object.fromEntries(
      found.parts.flatMap((part, at) => (isParam(part) ? [[part.slice(1, -1), segments[at] ?? '']] : [])),
    );
    return { path: found.path, items: byPath.get(found.path) ?? [], params };
  };
}

function looseness(parts: string[]): number {
  return parts.filter(isParam).length + (parts.includes('{rest}') ? 100 : 0);
}

function matches(parts: string[], segments: string[]): boolean {
  if (parts.at(-1) === '{rest}') return parts.slice(0, -1).every((part, at) => part === segments[at]);
  return (
    parts.length === segments.length &&
    parts.every((part, at) => part === segments[at] || (isParam(part) && segments[at] !== ''))
  );
}

function isParam(part: string): boolean {
  return part.startsWith('{');
}
