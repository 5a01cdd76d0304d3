import { parseJson } from '#lib/core/json-values.ts';

/** True if a text is one JSON object or array. */
export function isJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
}
