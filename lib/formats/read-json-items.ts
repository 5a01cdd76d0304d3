import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ImportFault } from './import-report.ts';

/**
 * A piece of a JSON text: the beginning of its list, an item of the list with its position, a member next to the list, or a fault that ends
 * reading.
 */
type JsonPiece =
  | { kind: 'list' }
  | { kind: 'item'; line: number; column: number; text: string }
  | { kind: 'member'; text: string; line: number; column: number }
  | { kind: 'fault'; fault: ImportFault };

/** `wanted`: description of the expected value for a text without a list. `tooLong`: remedy for an item or member that is too long. */
type Limits = { limitCharacters: number; limitDepth: number; wanted: string; tooLong?: string };

/**
 * Streams the items of a list in a JSON text, each as text. The list is `[…]`, or the member `list` in `{"list": […], …}`, whose other
 * members are yielded as `"name": value`. Items are split only by brackets, so each must still be parsed.
 */
export async function* readJsonItems(
  texts: AsyncIterable<Result<string>>,
  list: string,
  { limitCharacters, limitDepth, wanted, tooLong = '' }: Limits,
): AsyncGenerator<Result<JsonPiece>> {
  const member = new RegExp(`^\\s*"${list}"\\s*:\\s*$`);
  let state: 'before' | 'members' | 'items' | 'after' = 'before';
  let isListAlone = false;
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  let mustFollow = false;
  let gotList = false;
  let piece = '';
  let line = 1;
  let column = 0;
  let start: { line: number; column: number } | null = null;
  const faultHere = (message: string): Result<JsonPiece> =>
    succeed({ kind: 'fault', fault: { line, column: Math.max(1, column), length: 1, message, mend: null } });
  const unexpected = (sign: string, suffix = '') =>
    faultHere(`this is not JSON: unexpected ${JSON.stringify(sign)}${suffix}`);
  const takePiece = (kind: 'item' | 'member'): Result<JsonPiece> => {
    const text = piece.trimEnd();
    const at = start ?? { line, column };
    piece = '';
    start = null;
    return succeed({ kind, text, ...at });
  };

  for await (const read of texts) {
    if (!read.ok) return yield read;
    const text = read.value;
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text.charAt(at);
      column += 1;
      if (isQuoted) {
        if (isEscaped) isEscaped = false;
        else if (sign === '\\') isEscaped = true;
        else if (sign === '"') isQuoted = false;
      } else if (sign === ' ' || sign === '\t' || sign === '\r' || sign === '\n') {
        // Drop the text between two items.
        if (start === null) from = at + 1;
      } else if (state === 'before') {
        if (sign !== '[' && sign !== '{') return yield faultHere(`this must be ${wanted}`);
        state = sign === '[' ? 'items' : 'members';
        isListAlone = sign === '[';
        if (isListAlone) yield succeed({ kind: 'list' });
        depth = 1;
        from = at + 1;
      } else if (state === 'after') {
        return yield unexpected(sign, ' after its end');
      } else {
        const base: number = state === 'items' && !isListAlone ? 2 : 1;
        const closes = sign === ']' || sign === '}';
        if (depth === base && (sign === ',' || closes)) {
          piece += text.slice(from, at);
          from = at + 1;
          const isEmpty = start === null;
          const wantsOne = sign === ',' || mustFollow;
          const justClosed = state === 'members' && gotList && isEmpty;
          if (isEmpty && wantsOne && !justClosed) return yield unexpected(sign);
          if (closes && sign !== (state === 'items' ? ']' : '}')) return yield unexpected(sign);
          if (!isEmpty) yield takePiece(state === 'items' ? 'item' : 'member');
          mustFollow = sign === ',';
          gotList = false;
          if (closes) {
            depth -= 1;
            mustFollow = false;
            gotList = state === 'items';
            state = depth === 0 ? 'after' : 'members';
          }
        } else {
          if (gotList) return yield unexpected(sign);
          start ??= { line, column };
          if (sign === '"') isQuoted = true;
          else if (closes) depth -= 1;
          else if (sign === '[' || sign === '{') {
            depth += 1;
            if (depth > limitDepth + base)
              return yield fail('invalid', `The request is nested deeper than ${limitDepth} levels.`);
            if (state === 'members' && depth === 2 && sign === '[' && member.test(piece + text.slice(from, at))) {
              yield succeed({ kind: 'list' });
              state = 'items';
              mustFollow = false;
              piece = '';
              start = null;
              from = at + 1;
            }
          }
        }
      }
      if (sign === '\n') {
        line += 1;
        column = 0;
      }
    }
    piece += text.slice(from);
    if (start === null) piece = '';
    if (piece.length > limitCharacters)
      return yield faultHere(
        `this entry is longer than ${limitCharacters.toLocaleString('en-US')} characters.${tooLong}`,
      );
  }
  if (state === 'before') return yield fail('invalid', 'The body is empty. It must be JSON.');
  if (state !== 'after') {
    const isWhole = !isQuoted && depth === (state === 'items' && !isListAlone ? 2 : 1);
    if (start !== null && isWhole) yield takePiece(state === 'items' ? 'item' : 'member');
    column += 1;
    yield faultHere(
      isQuoted ? 'the text ends inside of quotes' : `the text ends before its last ${isListAlone ? ']' : '}'}`,
    );
  }
}
