import type { ImportFault } from './import-report.ts';

/** Position where a text stops being JSON: line and column from 1, and the text found there. */
type JsonError = { line: number; column: number; found: string };

const SPACE = /[ \t\n\r]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Returns the first position that JSON.parse would reject, because its message often omits it. Null if the text is valid. */
export function findJsonError(text: string): JsonError | null {
  const at = offsetOfError(text);
  return at === null ? null : { ...positionAt(text, at, 1, 1), found: characterAt(text, at) };
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? 'the end of the text' : JSON.stringify(String.fromCodePoint(code));
}

/** What is expected next. A `first` value or key may be missing, because its bracket may close at once. */
type Want = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'after';
type Bracket = '[' | '{';

function offsetOfError(text: string): number | null {
  const open: Bracket[] = [];
  let want: Want = 'value';
  let at = endOf(SPACE, text, 0) ?? 0;
  while (want !== 'after' || open.length > 0) {
    const end = endOfToken(text, at, want, open.at(-1));
    if (end === null) return at;
    want = wantedAfter(text[at], want, open);
    at = endOf(SPACE, text, end) ?? end;
  }
  return at < text.length ? at : null;
}

/** Returns the end of the token at a position. Null if another token is expected there. */
function endOfToken(text: string, at: number, want: Want, inside: Bracket | undefined): number | null {
  const next = text[at];
  const isClosing = next === (inside === '[' ? ']' : '}');
  if ((want === 'first value' || want === 'first key') && isClosing) return at + 1;
  switch (want) {
    case 'after':
      return next === ',' || isClosing ? at + 1 : null;
    case 'colon':
      return next === ':' ? at + 1 : null;
    case 'key':
    case 'first key':
      return endOfJsonText(text, at);
    case 'value':
    case 'first value':
      if (next === '[' || next === '{') return at + 1;
      return next === '"' ? endOfJsonText(text, at) : endOf(SCALAR, text, at);
  }
}

/** Returns what is expected after a token, and records the bracket that it opens or closes. */
function wantedAfter(token: string | undefined, want: Want, open: Bracket[]): Want {
  if (want === 'colon') return 'value';
  if (token === ',') return open.at(-1) === '[' ? 'value' : 'key';
  if (token === '[' || token === '{') {
    open.push(token);
    return token === '[' ? 'first value' : 'first key';
  }
  if (token === ']' || token === '}') open.pop();
  else if (want === 'key' || want === 'first key') return 'colon';
  return 'after';
}

/** Returns the position after the string that begins at `start`. Null if there is no string or it is invalid. */
function endOfJsonText(text: string, start: number): number | null {
  if (text[start] !== '"') return null;
  // Uses a loop, because a regular expression overflows the stack on millions of characters.
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

/**
 * Returns the offset and length (with quotes) of a member's key in a JSON object. For duplicate keys, returns the last one, which
 * JSON.parse keeps. Null if the object itself has no such member.
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

/** A value in valid JSON that would be changed by parsing: its position (`at`, `length` in UTF-16 units), and the problem as text. */
type JsonLoss = { at: number; length: number; message: string };

const MAYBE = /\d{16}|\d[eE][+-]?\d/;
const TOKEN = /"|-?\d[\d.eE+-]*/g;
/** A member that is a time in nanoseconds, such as `start_time_unix_nano`. It may lose its last digits. */
const NANOSECONDS = /nano"\s*:\s*$/i;
const SHOWN_LENGTH = 40;

/**
 * Returns the first number that no double-precision number (IEEE 754) represents exactly, so that it would change. Null if there is none.
 * `json` must be valid JSON.
 */
export function findJsonLoss(json: string): JsonLoss | null {
  if (!MAYBE.test(json)) return null;
  const tokens = new RegExp(TOKEN);
  for (let found = tokens.exec(json); found !== null; found = tokens.exec(json)) {
    const { 0: token, index: at } = found;
    if (token === '"') tokens.lastIndex = endOfJsonText(json, at) ?? json.length;
    else {
      const message = numberLoss(token);
      if (message !== null && !NANOSECONDS.test(json.slice(Math.max(0, at - 20), at)))
        return { at, length: token.length, message };
    }
  }
  return null;
}

function numberLoss(token: string): string | null {
  const value = Number(token);
  const isWhole = /^-?\d+$/.test(token);
  const isKept = isWhole
    ? Number.isFinite(value) && (String(value) === token || BigInt(value) === BigInt(token))
    : Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(token.split(/[eE]/)[0] ?? ''));
  if (isKept) return null;
  const shown = token.length > SHOWN_LENGTH ? `${token.slice(0, SHOWN_LENGTH)}…` : token;
  return `the number ${shown} can't be stored exactly. Write it as text, in quotes`;
}

/** Returns the line and column (from 1) in a file of offset `at` in a text that begins at `line` and `column`. */
export function positionAt(text: string, at: number, line: number, column: number): { line: number; column: number } {
  const before = text.slice(0, at).split('\n');
  const last = before.at(-1) ?? '';
  return { line: line + before.length - 1, column: last.length + (before.length === 1 ? column : 1) };
}

type Edit = { at: number; remove: number; insert: string; message: (next: string) => string; label: string };

/**
 * Returns the error that makes a text invalid JSON, with a single edit that fixes it if there is one. `line` and `column` (from 1) are the
 * position of the text in its file. Null if the text is JSON.
 */
export function repairJson(text: string, line: number, column = 1): ImportFault | null {
  const at = offsetOfError(text);
  if (at === null) return null;
  const next = nextToken(text, at);
  const edit = EDITS.flatMap((propose) => propose(text, at)).find((one) => offsetOfError(apply(text, one)) === null);
  const position = positionAt(text, edit?.at ?? at, line, column);
  const shown = positionAt(text, at, line, column);
  return {
    line: shown.line,
    column: shown.column,
    length: at < text.length ? Math.max(1, next.length) : null,
    message: edit?.message(next) ?? `this is not JSON: unexpected ${characterAt(text, at)}`,
    mend: edit ? { kind: 'edit', label: edit.label, ...position, remove: edit.remove, insert: edit.insert } : null,
  };
}

const INSERT_LABEL = 'Insert';
const REMOVE_LABEL = 'Remove';

/** Common mistakes that one edit fixes, most likely first. Each edit is tested before it is offered. */
const EDITS: ((text: string, at: number) => Edit[])[] = [
  (text, at) => [
    {
      at: endBefore(text, at),
      remove: 0,
      insert: ',',
      message: (next) => `a comma is missing before \`${next}\``,
      label: INSERT_LABEL,
    },
    {
      at: endBefore(text, at),
      remove: 0,
      insert: ':',
      message: (next) => `a colon is missing before \`${next}\``,
      label: INSERT_LABEL,
    },
  ],
  (text, at) => {
    const comma = text.slice(0, at + 1).search(/,\s*.?$/s);
    return comma < 0
      ? []
      : [{ at: comma, remove: 1, insert: '', message: () => 'there is a comma too many', label: REMOVE_LABEL }];
  },
  (text, at) =>
    at < text.trimEnd().length
      ? []
      : ['}', ']', ']}', '"}', '"]}', '}}'].map((insert) => ({
          at: text.trimEnd().length,
          remove: 0,
          insert,
          message: () => `\`${insert}\` is missing at the end`,
          label: INSERT_LABEL,
        })),
];

/** Returns the end of the text before a position, without trailing white space. */
function endBefore(text: string, at: number): number {
  return text.slice(0, at).trimEnd().length;
}

function apply(text: string, { at, remove, insert }: Edit): string {
  return text.slice(0, at) + insert + text.slice(at + remove);
}

/** Returns the token at a position for an error message: a short quoted string, a word, or one character. */
function nextToken(text: string, at: number): string {
  return /^(?:"[^"\n]{0,40}"|[\w.-]{1,40}|[^\n]?)/u.exec(text.slice(at, at + 60))?.[0] ?? '';
}
