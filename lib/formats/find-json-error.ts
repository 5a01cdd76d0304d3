/** Where a text stops being JSON: line and column from 1, and what stood there. */
export type JsonError = { line: number; column: number; found: string };

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Finds the first place that JSON.parse would not accept, which its own message often leaves out. Null where all is well. */
export function findJsonError(text: string): JsonError | null {
  const at = offsetOfError(text);
  if (at === null) return null;
  const before = text.slice(0, at).split('\n');
  const found =
    at >= text.length ? 'the end of the text' : JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, found };
}

/** A walk with a stack of open brackets; `want` is what may come next. */
function offsetOfError(text: string): number | null {
  const open: ('[' | '{')[] = [];
  let want: 'value' | 'value or ]' | 'key' | 'key or }' | 'after' = 'value';
  let at = endOf(SPACE, text, 0) ?? 0;
  for (;;) {
    const next = text[at];
    const inside = open.at(-1);
    if (want === 'after') {
      if (inside === undefined) return next === undefined ? null : at;
      if (next === ',') want = inside === '[' ? 'value' : 'key';
      else if (next === (inside === '[' ? ']' : '}')) open.pop();
      else return at;
      at += 1;
    } else if ((want === 'value or ]' && next === ']') || (want === 'key or }' && next === '}')) {
      open.pop();
      want = 'after';
      at += 1;
    } else if (want === 'key' || want === 'key or }') {
      const key = endOfJsonText(text, at);
      if (key === null) return at;
      at = endOf(SPACE, text, key) ?? key;
      if (text[at] !== ':') return at;
      want = 'value';
      at += 1;
    } else if (next === '[' || next === '{') {
      open.push(next);
      want = next === '[' ? 'value or ]' : 'key or }';
      at += 1;
    } else {
      const end = next === '"' ? endOfJsonText(text, at) : endOf(SCALAR, text, at);
      if (end === null) return at;
      want = 'after';
      at = end;
    }
    at = endOf(SPACE, text, at) ?? at;
  }
}

/** Where the quoted text that begins at `start` ends, behind its last quote; null where none begins there, or it is not JSON. */
export function endOfJsonText(text: string, start: number): number | null {
  if (text[start] !== '"') return null;
  // A loop, not one pattern: on millions of characters a pattern runs out of stack.
  let at = start + 1;
  for (;;) {
    const next = text[at];
    if (next === '"') return at + 1;
    if (next === undefined || next < ' ') return null;
    const end = next === '\\' ? endOf(ESCAPE, text, at) : at + 1;
    if (end === null) return null;
    at = end;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
