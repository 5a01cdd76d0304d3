import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { ImportFault } from './import-report.ts';

/** A piece of a JSON text: the beginning of its list, an item, a member next to the list, or a fault that ends reading. */
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
  limits: Limits,
): AsyncGenerator<Result<JsonPiece>> {
  const splitter = new JsonSplitter(list, limits);
  for await (const read of texts) {
    if (!read.ok) return yield read;
    for (const piece of splitter.split(read.value)) {
      yield piece;
      if (!piece.ok || piece.value.kind === 'fault') return;
    }
  }
  yield* splitter.end();
}

/** Splits a JSON text that arrives in chunks. A fault or a failure is the last piece. */
class JsonSplitter {
  readonly #limits: Limits;
  readonly #listName: RegExp;
  #state: 'before' | 'members' | 'items' | 'after' = 'before';
  /** True for a text `[…]`. */
  #isListAlone = false;
  /** Number of open brackets. */
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** True after a comma. */
  #mustFollow = false;
  /** True after the list of an object, until the next comma. */
  #gotList = false;
  #chunk = '';
  /** Start of the part of the chunk that belongs to the current item or member. */
  #from = 0;
  /** Text of the current item or member from earlier chunks. */
  #piece = '';
  #line = 1;
  #column = 0;
  /** Start of the current item or member. Null between two of them. */
  #start: { line: number; column: number } | null = null;

  constructor(list: string, limits: Limits) {
    this.#limits = limits;
    this.#listName = new RegExp(`^\\s*"${list}"\\s*:\\s*$`);
  }

  /** Yields the pieces that end in the next chunk. */
  *split(chunk: string): Generator<Result<JsonPiece>> {
    this.#chunk = chunk;
    this.#from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const sign = chunk.charAt(at);
      this.#column += 1;
      const piece = this.#read(sign, at);
      if (piece !== null) yield piece;
      if (sign === '\n') {
        this.#line += 1;
        this.#column = 0;
      }
    }
    this.#piece = this.#start === null ? '' : this.#piece + chunk.slice(this.#from);
    const { limitCharacters, tooLong = '' } = this.#limits;
    if (this.#piece.length <= limitCharacters) return;
    const remedy = this.#state === 'members' ? ' If it is a list to import, import only that list.' : tooLong;
    yield this.#fault(`this entry is longer than ${limitCharacters.toLocaleString('en-US')} characters.${remedy}`);
  }

  /** Yields what is left at the end of the text: nothing if it is complete. */
  *end(): Generator<Result<JsonPiece>> {
    if (this.#state === 'before') return yield fail('invalid', 'The body is empty. It must be JSON.');
    if (this.#state === 'after') return;
    if (this.#start !== null && !this.#isQuoted && this.#depth === this.#base) yield this.#takePiece();
    this.#column += 1;
    const bracket = this.#isListAlone ? ']' : '}';
    yield this.#fault(this.#isQuoted ? 'the text ends inside of quotes' : `the text ends before its last ${bracket}`);
  }

  /** Depth of the items or members. */
  get #base(): number {
    return this.#state === 'items' && !this.#isListAlone ? 2 : 1;
  }

  #read(sign: string, at: number): Result<JsonPiece> | null {
    if (this.#isQuoted) return this.#readQuoted(sign);
    if (sign === ' ' || sign === '\t' || sign === '\r' || sign === '\n') {
      // Drops the text between two items.
      if (this.#start === null) this.#from = at + 1;
      return null;
    }
    if (this.#state === 'before') return this.#open(sign, at);
    if (this.#state === 'after') return this.#unexpected(sign, ' after its end');
    const isEnd = this.#depth === this.#base && (sign === ',' || isClosing(sign));
    return isEnd ? this.#endPiece(sign, at) : this.#continuePiece(sign, at);
  }

  #readQuoted(sign: string): null {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#isQuoted = false;
    return null;
  }

  #open(sign: string, at: number): Result<JsonPiece> | null {
    if (sign !== '[' && sign !== '{') return this.#fault(`this must be ${this.#limits.wanted}`);
    this.#isListAlone = sign === '[';
    this.#state = this.#isListAlone ? 'items' : 'members';
    this.#depth = 1;
    this.#from = at + 1;
    return this.#isListAlone ? succeed({ kind: 'list' }) : null;
  }

  /** A comma or the last bracket, after an item, a member or the list. */
  #endPiece(sign: string, at: number): Result<JsonPiece> | null {
    this.#piece += this.#chunk.slice(this.#from, at);
    this.#from = at + 1;
    const isEmpty = this.#start === null;
    if (isEmpty && !this.#gotList && (sign === ',' || this.#mustFollow)) return this.#unexpected(sign);
    if (sign !== ',' && sign !== (this.#state === 'items' ? ']' : '}')) return this.#unexpected(sign);
    const piece = isEmpty ? null : this.#takePiece();
    this.#mustFollow = sign === ',';
    this.#gotList = sign !== ',' && this.#state === 'items';
    if (sign !== ',') {
      this.#depth -= 1;
      this.#state = this.#depth === 0 ? 'after' : 'members';
    }
    return piece;
  }

  #continuePiece(sign: string, at: number): Result<JsonPiece> | null {
    if (this.#gotList) return this.#unexpected(sign);
    this.#start ??= { line: this.#line, column: this.#column };
    if (sign === '"') this.#isQuoted = true;
    else if (isClosing(sign)) this.#depth -= 1;
    else if (sign === '[' || sign === '{') return this.#nest(sign, at);
    return null;
  }

  #nest(sign: string, at: number): Result<JsonPiece> | null {
    const { limitDepth } = this.#limits;
    this.#depth += 1;
    if (this.#depth > limitDepth + this.#base)
      return fail('invalid', `The request is nested deeper than ${limitDepth} levels.`);
    const isMember = this.#state === 'members' && this.#depth === 2 && sign === '[';
    if (!isMember || !this.#listName.test(this.#piece + this.#chunk.slice(this.#from, at))) return null;
    this.#state = 'items';
    this.#mustFollow = false;
    this.#piece = '';
    this.#start = null;
    this.#from = at + 1;
    return succeed({ kind: 'list' });
  }

  #takePiece(): Result<JsonPiece> {
    const text = this.#piece.trimEnd();
    const at = this.#start ?? { line: this.#line, column: this.#column };
    this.#piece = '';
    this.#start = null;
    return succeed({ kind: this.#state === 'items' ? 'item' : 'member', text, ...at });
  }

  #unexpected(sign: string, suffix = ''): Result<JsonPiece> {
    return this.#fault(`this is not JSON: unexpected ${JSON.stringify(sign)}${suffix}`);
  }

  #fault(message: string): Result<JsonPiece> {
    const fault = { line: this.#line, column: Math.max(1, this.#column), length: 1, message, mend: null };
    return succeed({ kind: 'fault', fault });
  }
}

function isClosing(sign: string): boolean {
  return sign === ']' || sign === '}';
}
