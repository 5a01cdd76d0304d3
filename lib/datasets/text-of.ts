/** Returns any value as text. A list with one item is converted like that item. Returns '' for values nested too deep to serialize. */
export function textOf(value: unknown): string {
  let one = value;
  while (Array.isArray(one) && one.length === 1) one = one[0];
  if (typeof one === 'string') return one;
  if (one === null || one === undefined) return '';
  if (typeof one !== 'object') return String(one);
  try {
    return JSON.stringify(one);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}
