export type Expression =
  | { type: 'number'; text: string }
  | { type: 'constant'; name: string }
  | { type: 'negative' | 'percent' | 'factorial'; of: Expression }
  | { type: 'operation'; sign: Operator; left: Expression; right: Expression }
  | { type: 'function'; name: string; given: Expression[] };
export type Operator = '+' | '-' | '*' | '/' | '%' | '^';
export type Parsed = { ok: true; expression: Expression } | { ok: false; problem: string };

const LONGEST = 2_000;
const DEEPEST = 100;

/**
 * Reads what people and models write as a calculation: `+ - * / % ^` (also `× ÷ − **`), parentheses, functions, constants. `%` is the
 * remainder where an operand follows it, else per cent. Powers bind from the right, and before a minus sign.
 */
export function parseExpression(text: string): Parsed {
  if (text.length > LONGEST)
    return { ok: false, problem: `it is longer than ${LONGEST.toLocaleString('en-US')} characters` };
  const tokens = readTokens(text);
  if (!Array.isArray(tokens)) return { ok: false, problem: tokens.problem };
  if (tokens.length === 0) return { ok: false, problem: 'it is empty' };
  const reader = { tokens, at: 0, depth: 0 };
  const expression = sum(reader);
  if (typeof expression === 'string') return { ok: false, problem: expression };
  const left = tokens[reader.at];
  return left === undefined
    ? { ok: true, expression }
    : { ok: false, problem: `${JSON.stringify(left.text)} was not expected after ${shownBefore(reader)}` };
}

type Token = { type: 'number' | 'word' | 'sign'; text: string };
type Reader = { tokens: Token[]; at: number; depth: number };
/** An expression, or what is wrong in words. */
type Read = Expression | string;

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|(?<word>[a-z_][a-z0-9_]*|π)|(?<sign>\*\*|[-+*/%^(),!×÷−·]))/iuy;
const SAME = new Map(Object.entries({ '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' }));

function readTokens(text: string): Token[] | { problem: string } {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined)
      return { problem: `${JSON.stringify(text.slice(from).trim().slice(0, 20).toWellFormed())} cannot be read` };
    const { number, word, sign } = groups;
    if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (word !== undefined) tokens.push({ type: 'word', text: word === 'π' ? 'pi' : word.toLowerCase() });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: SAME.get(sign) ?? sign });
  }
  return tokens;
}

function sum(reader: Reader): Read {
  return leftToRight(reader, ['+', '-'], product);
}

function product(reader: Reader): Read {
  return leftToRight(reader, ['*', '/', '%'], signed);
}

function leftToRight(reader: Reader, signs: Operator[], part: (reader: Reader) => Read): Read {
  let left = part(reader);
  for (;;) {
    const sign = signs.find((one) => isSign(reader, one));
    if (sign === undefined || typeof left === 'string') return left;
    reader.at++;
    const right = part(reader);
    if (typeof right === 'string') return right;
    left = { type: 'operation', sign, left, right };
  }
}

function signed(reader: Reader): Read {
  if (!isSign(reader, '-') && !isSign(reader, '+')) return power(reader);
  const isNegative = isSign(reader, '-');
  reader.at++;
  const of = deeper(reader, signed);
  return typeof of === 'string' || !isNegative ? of : { type: 'negative', of };
}

function power(reader: Reader): Read {
  const left = suffixed(reader);
  if (typeof left === 'string' || !isSign(reader, '^')) return left;
  reader.at++;
  const right = deeper(reader, signed);
  return typeof right === 'string' ? right : { type: 'operation', sign: '^', left, right };
}

function suffixed(reader: Reader): Read {
  let of = atom(reader);
  for (;;) {
    if (typeof of === 'string') return of;
    if (isSign(reader, '!')) of = { type: 'factorial', of };
    else if (isSign(reader, '%') && !beginsOperand(reader.tokens[reader.at + 1])) of = { type: 'percent', of };
    else return of;
    reader.at++;
    if (++reader.depth > DEEPEST) return TOO_DEEP;
  }
}

function beginsOperand(token: Token | undefined): boolean {
  return token !== undefined && (token.type !== 'sign' || token.text === '(');
}

function atom(reader: Reader): Read {
  const token = reader.tokens[reader.at];
  if (token === undefined) return `something is missing after ${shownBefore(reader)}`;
  reader.at++;
  if (token.type === 'number') return { type: 'number', text: token.text };
  if (token.type === 'word')
    return isSign(reader, '(') ? called(reader, token.text) : { type: 'constant', name: token.text };
  if (token.text !== '(') {
    reader.at--;
    return `${JSON.stringify(token.text)} was not expected after ${shownBefore(reader)}`;
  }
  const inside = deeper(reader, sum);
  return typeof inside === 'string' ? inside : closed(reader, inside);
}

function called(reader: Reader, name: string): Read {
  reader.at++;
  const given: Expression[] = [];
  if (!isSign(reader, ')'))
    for (;;) {
      const one = deeper(reader, sum);
      if (typeof one === 'string') return one;
      given.push(one);
      if (!isSign(reader, ',')) break;
      reader.at++;
    }
  return closed(reader, { type: 'function', name, given });
}

function closed(reader: Reader, inside: Expression): Read {
  if (!isSign(reader, ')'))
    return isSign(reader, ',')
      ? 'a comma stands outside of a function: write 1234.5, not 1,234.5'
      : `a closing parenthesis is missing after ${shownBefore(reader)}`;
  reader.at++;
  return inside;
}

const TOO_DEEP = `it is nested deeper than ${DEEPEST} levels`;

function deeper(reader: Reader, part: (reader: Reader) => Read): Read {
  if (reader.depth >= DEEPEST) return TOO_DEEP;
  reader.depth++;
  const read = part(reader);
  reader.depth--;
  return read;
}

function isSign({ tokens, at }: Reader, text: string): boolean {
  const token = tokens[at];
  return token?.type === 'sign' && token.text === text;
}

function shownBefore({ tokens, at }: Reader): string {
  const before = tokens[at - 1];
  return before === undefined ? 'the beginning' : JSON.stringify(before.text);
}
