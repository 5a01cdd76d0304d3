import {
  asNumber,
  CalculationError,
  exactFunction,
  type Fraction,
  finite,
  fraction,
  powerOf,
  roundedFunction,
  showNumber,
  type Value,
} from './fraction.ts';

/**
 * The result of a calculation as digits, and true if they are exact. Otherwise the reason there is none, phrased to follow "…, because".
 */
type Calculated = { ok: true; text: string; isExact: boolean } | { ok: false; problem: string };

/**
 * Evaluates an expression. Sums, products, quotients and integer powers of decimals are exact fractions up to about 3,000 digits. Roots,
 * logarithms and trigonometric functions (radians) are rounded to a double.
 */
export function calculate(text: string): Calculated {
  try {
    const evaluate = parseExpression(text);
    return { ok: true, ...showNumber(evaluate()) };
  } catch (error) {
    if (error instanceof CalculationError) return { ok: false, problem: error.message };
    throw error;
  }
}

function readNumber(text: string): Value {
  const [digits = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = digits.split('.');
  const exponent = Number(power) - decimals.length;
  if (Math.abs(exponent) > 3_000) throw new CalculationError();
  const top = BigInt(`${whole}${decimals}` || '0');
  return exponent < 0 ? fraction(top, 10n ** BigInt(-exponent)) : fraction(top * 10n ** BigInt(exponent), 1n);
}

function readConstant(name: string): Value {
  if (name === 'pi') return Math.PI;
  if (name === 'e') return Math.E;
  throw new CalculationError(`${JSON.stringify(name)} is not known: there are pi and e, and no variables`);
}

function call(name: string, values: Value[]): Value {
  return exactFunction(name, values) ?? finite(roundedFunction(name, values.map(asNumber)));
}

function negative(value: Value): Value {
  return typeof value === 'number' ? -value : { top: -value.top, over: value.over };
}

function percent(value: Value): Value {
  return operate('/', value, { top: 100n, over: 1n });
}

function factorial(value: Value): Value {
  if (typeof value === 'number' || value.over !== 1n || value.top < 0n || value.top > 1_000n)
    throw new CalculationError('a factorial takes a whole number from 0 to 1000');
  let product = 1n;
  for (let factor = 2n; factor <= value.top; factor++) product *= factor;
  return { top: product, over: 1n };
}

/** Applies an operation to two values. Exact if both are exact and the result is a fraction of acceptable length. */
function operate(sign: Operator, left: Value, right: Value): Value {
  if ((sign === '/' || sign === '%') && isZero(right)) throw new CalculationError('it divides by zero');
  if (sign === '^' && isZero(left) && asNumber(right) < 0) throw new CalculationError('it divides by zero');
  const { exactly, roundedly } = OPERATIONS[sign];
  const exact = typeof left !== 'number' && typeof right !== 'number' ? exactly(left, right) : null;
  return exact ?? finite(roundedly(asNumber(left), asNumber(right)));
}

type Operator = '+' | '-' | '*' | '/' | '%' | '^';

/** `exactly` returns null if the result is not a fraction. */
const OPERATIONS: Record<
  Operator,
  { exactly(left: Fraction, right: Fraction): Fraction | null; roundedly(left: number, right: number): number }
> = {
  '+': {
    exactly: (left, right) => fraction(left.top * right.over + right.top * left.over, left.over * right.over),
    roundedly: (left, right) => left + right,
  },
  '-': {
    exactly: (left, right) => fraction(left.top * right.over - right.top * left.over, left.over * right.over),
    roundedly: (left, right) => left - right,
  },
  '*': {
    exactly: (left, right) => fraction(left.top * right.top, left.over * right.over),
    roundedly: (left, right) => left * right,
  },
  '/': {
    exactly: (left, right) => fraction(left.top * right.over, left.over * right.top),
    roundedly: (left, right) => left / right,
  },
  '%': {
    exactly: (left, right) => fraction((left.top * right.over) % (right.top * left.over), left.over * right.over),
    roundedly: (left, right) => left % right,
  },
  '^': {
    exactly: (left, right) => (right.over === 1n ? powerOf(left, right.top) : null),
    roundedly: (left, right) => left ** right,
  },
};

function isZero(value: Value): boolean {
  return typeof value === 'number' ? value === 0 : value.top === 0n;
}

const MAX_EXPRESSION_LENGTH = 2_000;
const MAX_EXPRESSION_DEPTH = 100;

/** A parsed expression, which calculates its value. */
type Expression = () => Value;

/**
 * Parses a calculation as people and models write it: `+ - * / % ^` (also `× ÷ − **`), parentheses, functions, constants. `%` is the
 * remainder if an operand follows it, otherwise percent. Powers are right-associative and bind tighter than a minus sign.
 */
function parseExpression(text: string): Expression {
  if (text.length > MAX_EXPRESSION_LENGTH)
    throw new CalculationError(`it is longer than ${MAX_EXPRESSION_LENGTH.toLocaleString('en-US')} characters`);
  const tokens = readTokens(text);
  if (tokens.length === 0) throw new CalculationError('it is empty');
  const reader = { tokens, at: 0, depth: 0 };
  const expression = sum(reader);
  const left = tokens[reader.at];
  if (left !== undefined) throw unexpected(left, reader);
  return expression;
}

type Token = { type: 'number' | 'word' | 'sign'; text: string };
type Reader = { tokens: Token[]; at: number; depth: number };

const TOKEN =
  /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)|(?<word>[a-z_][a-z0-9_]*|π)|(?<sign>\*\*|[-+*/%^(),!×÷−·]))/iuy;
const SAME = new Map(Object.entries({ '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' }));

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined)
      throw new CalculationError(
        `${JSON.stringify(text.slice(from).trim().slice(0, 20).toWellFormed())} cannot be read`,
      );
    const { number, word, sign } = groups;
    if (number !== undefined) tokens.push({ type: 'number', text: number });
    else if (word !== undefined) tokens.push({ type: 'word', text: word === 'π' ? 'pi' : word.toLowerCase() });
    else if (sign !== undefined) tokens.push({ type: 'sign', text: SAME.get(sign) ?? sign });
  }
  return tokens;
}

function sum(reader: Reader): Expression {
  return leftToRight(reader, ['+', '-'], product);
}

function product(reader: Reader): Expression {
  return leftToRight(reader, ['*', '/', '%'], signed);
}

function leftToRight(reader: Reader, signs: Operator[], part: (reader: Reader) => Expression): Expression {
  let expression = part(reader);
  for (;;) {
    const sign = signs.find((one) => takeSign(reader, one));
    if (sign === undefined) return expression;
    expression = operation(sign, expression, part(reader));
  }
}

function signed(reader: Reader): Expression {
  if (takeSign(reader, '+')) return deeper(reader, signed);
  return takeSign(reader, '-') ? applied(negative, deeper(reader, signed)) : power(reader);
}

function power(reader: Reader): Expression {
  const left = suffixed(reader);
  return takeSign(reader, '^') ? operation('^', left, deeper(reader, signed)) : left;
}

function suffixed(reader: Reader): Expression {
  let expression = atom(reader);
  for (;;) {
    if (takeSign(reader, '!')) expression = applied(factorial, expression);
    else if (!beginsOperand(reader.tokens[reader.at + 1]) && takeSign(reader, '%'))
      expression = applied(percent, expression);
    else return expression;
    if (++reader.depth > MAX_EXPRESSION_DEPTH) throw tooDeep();
  }
}

// The parts are parameters. With V8 13.6, an arrow function in a loop fails once it is optimized, if it uses a constant of the
// loop whose initializer can throw.
function operation(sign: Operator, left: Expression, right: Expression): Expression {
  return () => operate(sign, left(), right());
}

function applied(apply: (value: Value) => Value, of: Expression): Expression {
  return () => apply(of());
}

function beginsOperand(token: Token | undefined): boolean {
  return token !== undefined && (token.type !== 'sign' || token.text === '(');
}

function atom(reader: Reader): Expression {
  const token = reader.tokens[reader.at];
  if (token === undefined) throw new CalculationError(`something is missing after ${shownBefore(reader)}`);
  const { type, text } = token;
  if (type === 'sign' && text !== '(') throw unexpected(token, reader);
  reader.at++;
  if (type === 'number') return () => readNumber(text);
  if (type === 'word') return takeSign(reader, '(') ? called(reader, text) : () => readConstant(text);
  const inside = deeper(reader, sum);
  close(reader);
  return inside;
}

function called(reader: Reader, name: string): Expression {
  const args: Expression[] = [];
  if (!isSign(reader, ')'))
    do args.push(deeper(reader, sum));
    while (takeSign(reader, ','));
  close(reader);
  return () =>
    call(
      name,
      args.map((evaluate) => evaluate()),
    );
}

function close(reader: Reader): void {
  if (takeSign(reader, ')')) return;
  throw new CalculationError(
    isSign(reader, ',')
      ? 'a comma is only allowed in a function: write 1234.5, not 1,234.5'
      : `a closing parenthesis is missing after ${shownBefore(reader)}`,
  );
}

function deeper(reader: Reader, part: (reader: Reader) => Expression): Expression {
  if (reader.depth >= MAX_EXPRESSION_DEPTH) throw tooDeep();
  reader.depth++;
  const read = part(reader);
  reader.depth--;
  return read;
}

function tooDeep(): CalculationError {
  return new CalculationError(`it is nested deeper than ${MAX_EXPRESSION_DEPTH} levels`);
}

function unexpected({ text }: Token, reader: Reader): CalculationError {
  return new CalculationError(`${JSON.stringify(text)} was not expected after ${shownBefore(reader)}`);
}

function isSign({ tokens, at }: Reader, text: string): boolean {
  const token = tokens[at];
  return token?.type === 'sign' && token.text === text;
}

/** Moves past a sign. Returns false if another token is next. */
function takeSign(reader: Reader, text: string): boolean {
  if (!isSign(reader, text)) return false;
  reader.at++;
  return true;
}

function shownBefore({ tokens, at }: Reader): string {
  const before = tokens[at - 1];
  return before === undefined ? 'the beginning' : JSON.stringify(before.text);
}
