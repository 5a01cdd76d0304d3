/** Deeper nesting than this would exhaust the stack of whatever walks the value. */
export const MAX_DEPTH = 100;

/** Whether a JSON value is nested deeper than 100 levels. */
export function isTooDeep(value: unknown): boolean {
  return isDeeper(value, MAX_DEPTH);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
