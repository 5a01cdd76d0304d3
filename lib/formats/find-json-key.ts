import { endOfJsonText } from './find-json-error.ts';

/**
 * Where the key of a member stands in a text that is a JSON object: its offset, and its length with the quotes, as it is written. The last one
 * where it stands twice: that is the one that JSON.parse keeps. Null where the object itself has no such member.
 */
export function findJsonKey(text: string, key: string): { at: number; length: number } | null {
  let found: { at: number; length: number } | null = null;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === '"') {
      const end = endOfJsonText(text, at) ?? text.length;
      if (depth === 1 && isFollowedByColon(text, end) && JSON.parse(text.slice(at, end)) === key)
        found = { at, length: end - at };
      at = end - 1;
    }
  }
  return found;
}

function isFollowedByColon(text: string, end: number): boolean {
  let at = end;
  while (' \t\n\r'.includes(text[at] ?? ':')) at += 1;
  return text[at] === ':';
}
