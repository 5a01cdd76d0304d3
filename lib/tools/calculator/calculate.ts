import { z } from 'zod';
import type { Tool } from '#lib/tools/toolbox.ts';
import {
  asNumber,
  type Evaluated,
  exactFunction,
  type Fraction,
  FUNCTION_NAMES,
  finite,
  fraction,
  powerOf,
  roundedFunction,
  showNumber,
  TOO_LARGE,
  type Value,
} from './fraction.ts';

const inputSchema = z.object({ expression: z.string() });

/** Calculator tool for models. Exact for fractions and decimals of any length, see `calculate`. */
export const calculatorTool: Tool = {
  definition: {
    name: 'calculator',
    description: `Calculates one expression and returns its value. Operators: + - * / ^, % (remainder, or per cent at the end of a number), !; parentheses; pi, e; ${FUNCTION_NAMES.join(', ')} (angles in radians, log is to base 10, round(x, decimals)). No variables, no units, no commas in numbers. Example: (12.5 + 7) * 3 ^ 2`,
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'What to calculate, such as 3 * (4 + 5) / 2' } },
      required: ['expression'],
      additionalProperties: false,
    },
  },
  timeoutMs: null,
  async run(input) {
    const { expression } = inputSchema.parse(input);
    const calculated = calculate(expression);
    if (!calculated.ok)
      return { status: 'failed', text: `The expression could not be calculated: ${calculated.problem}.` };
    return { status: 'ok', text: calculated.isExact ? calculated.text : `${calculated.text} (rounded)` };
  },
};

/**
 * The result of a calculation as digits, and true if they are exact. Otherwise the reason there is none, phrased to follow "…, because".
 */
type Calculated = { ok: true; text: string; isExact: boolean } | { ok: false; problem: string };

/**
 * Evaluates an expression. Sums, products, quotients and integer powers of decimals are exact fractions up to about 3,000 digits. Roots,
 * logarithms and trigonometric functions (radians) are rounded to a double.
 */
export function calculate(text: string): Calculated {
  const parsed = parseExpression(text);
  if (!parsed.ok) return parsed;
  const value = evaluate(parsed.expression);
  if (typeof value === 'string') return { ok: false, problem: value };
  return { ok: true, ...showNumber(value) };
}

function evaluate(expression: Expression): Evaluated {
  switch (expression.type) {
    case 'number':
      return readNumber(expression.text);
    case 'constant':
      return readConstant(expression.name);
    case 'negative':
      return withValue(expression.of, (value) =>
        typeof value === 'number' ? -value : { top: -value.top, over: value.over },
      );
    case 'percent':
      return withValue(expression.of, (value) => operate('/', value, { top: 100n, over: 1n }));
    case 'factorial':
      return withValue(expression.of, factorial);
    case 'operation':
      return withValue(expression.left, (left) =>
        withValue(expression.right, (right) => operate(expression.sign, left, right)),
      );
    case 'function':
      return call(expression.name, expression.args);
  }
}

function withValue(expression: Expression, then: (value: Value) => Evaluated): Evaluated {
  const value = evaluate(expression);
  return typeof value === 'string' ? value : then(value);
}

function readNumber(text: string): Evaluated {
  const [digits = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const exponent = Number(power) - decimals.length;
  if (Math.abs(exponent) > 3_000) return TOO_LARGE;
  const top = BigInt(`${whole}${decimals}` || '0');
  const value = exponent < 0 ? fraction(top, 10n ** BigInt(-exponent)) : fraction(top * 10n ** BigInt(exponent), 1n);
  return value ?? TOO_LARGE;
}

function readConstant(name: string): Evaluated {
  if (name === 'pi') return Math.PI;
  if (name === 'e') return Math.E;
  return `${JSON.stringify(name)} is not known: there are pi and e, and no variables`;
}

function call(name: string, args: Expression[]): Evaluated {
  const values: Value[] = [];
  for (const one of args) {
    const value = evaluate(one);
    if (typeof value === 'string') return value;
    values.push(value);
  }
  const exact = exactFunction(name, values);
  if (exact !== null) return exact;
  const rounded = roundedFunction(name, values.map(asNumber));
  return typeof rounded === 'string' ? rounded : finite(rounded);
}

function factorial(value: Value): Evaluated {
  if (typeof value === 'number' || value.over !== 1n || value.top < 0n || value.top > 1_000n)
    return 'a factorial takes a whole number from 0 to 1000';
  let product = 1n;
  for (let factor = 2n; factor <= value.top; factor++) product *= factor;
  return { top: product, over: 1n };
}

/** Applies an operation to two values. Exact if both are exact and the result is a fraction of acceptable length. */
function operate(sign: Operator, left: Value, right: Value): Evaluated {
  if ((sign === '/' || sign === '%') && isZero(right)) return 'it divides by zero';
  if (sign === '^' && isZero(left) && asNumber(right) < 0) return 'it divides by zero';
  if (typeof left !== 'number' && typeof right !== 'number') {
    const exact = operateExactly(sign, left, right);
    if (exact === null) return TOO_LARGE;
    if (exact !== 'not_exact') return exact;
  }
  return finite(operateRoundedly(sign, asNumber(left), asNumber(right)));
}

function operateExactly(sign: Operator, left: Fraction, right: Fraction): Fraction | null | 'not_exact' {
  const over = left.over * right.over;
  switch (sign) {
    case '+':
      return fraction(left.top * right.over + right.top * left.over, over);
    case '-':
      return fraction(left.top * right.over - right.top * left.over, over);
    case '*':
      return fraction(left.top * right.top, over);
    case '/':
      return fraction(left.top * right.over, left.over * right.top);
    case '%':
      return fraction((left.top * right.over) % (right.top * left.over), over);
    case '^':
      return right.over === 1n ? powerOf(left, right.top) : 'not_exact';
  }
}

function operateRoundedly(sign: Operator, left: number, right: number): number {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
    case '^':
      return left ** right;
  }
}

function isZero(value: Value): boolean {
  return typeof value === 'number' ? value === 0 : value.top === 0n;
}

type Expression =
  | { type: 'number'; text: string }
  | { type: 'constant'; name: string }
  | { type: 'negative' | 'percent' | 'factorial'; of: Expression }
  | { type: 'operation'; sign: Operator; left: Expression; right: Expression }
  | { type: 'function'; name: string; args: Expression[] };
type Operator = '+' | '-' | '*' | '/' | '%' | '^';
type Parsed = { ok: true; expression: Expression } | { ok: false; problem: string };

const MAX_EXPRESSION_LENGTH = 2_000;
const MAX_EXPRESSION_DEPTH = 100;

/**
 * Parses a calculation as people and models write it: `+ - * / % ^` (also `× ÷ − **`), parentheses, functions, constants. `%` is the
 * remainder if an operand follows it, otherwise percent. Powers are right-associative and bind tighter than a minus sign.
 */
function parseExpression(text: string): Parsed {
  if (text.length > MAX_EXPRESSION_LENGTH)
    return { ok: false, problem: `it is longer than ${MAX_EXPRESSION_LENGTH.toLocaleString('en-US')} characters` };
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
/** A parsed expression, or a description of the error. */
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
    if (++reader.depth > MAX_EXPRESSION_DEPTH) return TOO_DEEP;
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
  const args: Expression[] = [];
  if (!isSign(reader, ')'))
    for (;;) {
      const one = deeper(reader, sum);
      if (typeof one === 'string') return one;
      args.push(one);
      if (!isSign(reader, ',')) break;
      reader.at++;
    }
  return closed(reader, { type: 'function', name, args });
}

function closed(reader: Reader, inside: Expression): Read {
  if (!isSign(reader, ')'))
    return isSign(reader, ',')
      ? 'a comma is only allowed in a function: write 1234.5, not 1,234.5'
      : `a closing parenthesis is missing after ${shownBefore(reader)}`;
  reader.at++;
  return inside;
}

const TOO_DEEP = `it is nested deeper than ${MAX_EXPRESSION_DEPTH} levels`;

function deeper(reader: Reader, part: (reader: Reader) => Read): Read {
  if (reader.depth >= MAX_EXPRESSION_DEPTH) return TOO_DEEP;
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
