/** Maximum nesting depth that is counted. Deeper values are refused by `parseInput`. */
const MAX_DEPTH = 200;

/**
 * Returns the approximate length of a value as JSON, in time proportional to the number of its different objects. An object that occurs
 * several times counts each time. Infinity for an object inside itself and for very deep values.
 */
export function jsonLength(value: unknown): number {
  return lengthOf(value, 0, new Map());
}

function lengthOf(value: unknown, depth: number, known: Map<object, number>): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 1;
  const before = known.get(value);
  if (before !== undefined) return before;
  if (depth === MAX_DEPTH) return Number.POSITIVE_INFINITY;
  known.set(value, Number.POSITIVE_INFINITY);
  let length = 2;
  for (const [key, member] of Object.entries(value))
    length += (Array.isArray(value) ? 1 : key.length + 4) + lengthOf(member, depth + 1, known);
  known.set(value, length);
  return length;
}
