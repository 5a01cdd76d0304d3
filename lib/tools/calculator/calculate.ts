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
import { type Expression, type Operator, parseExpression } from './parse-expression.ts';

const givenSchema = z.object({ expression: z.string() });

/** Calculates, so that a model need not: exact for fractions and decimals of any length, see `calculate`. */
export const calculatorTool: Tool = {
  definition: {
    name: 'calculator',
    description: `Calculates one expression and answers with its value. Operators: + - * / ^, % (remainder, or per cent at the end of a number), !; parentheses; pi, e; ${FUNCTION_NAMES.join(', ')} (angles in radians, log is to base 10, round(x, decimals)). No variables, no units, no commas in numbers. Example: (12.5 + 7) * 3 ^ 2`,
    parameters: {
      type: 'object',
      properties: { expression: { type: 'string', description: 'What to calculate, such as 3 * (4 + 5) / 2' } },
      required: ['expression'],
      additionalProperties: false,
    },
  },
  timeoutMs: null,
  async run(given) {
    const { expression } = givenSchema.parse(given);
    const calculated = calculate(expression);
    if (!calculated.ok)
      return { status: 'failed', text: `The expression could not be calculated: ${calculated.problem}.` };
    return { status: 'ok', text: calculated.isExact ? calculated.text : `${calculated.text} (rounded)` };
  },
};

/** What a calculation comes to, in digits, and whether that is the very number; or why there is none, as the end of "…, because". */
type Calculated = { ok: true; text: string; isExact: boolean } | { ok: false; problem: string };

/**
 * Calculates an expression. Sums, products, quotients and whole powers of decimals are exact fractions, whatever their size up to some
 * 3,000 digits; roots, logarithms and angles (radians) are rounded to what a double holds.
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
      return call(expression.name, expression.given);
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

function call(name: string, given: Expression[]): Evaluated {
  const values: Value[] = [];
  for (const one of given) {
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

/** One operation on two values: exact where both are, and the result is a fraction of bearable length. */
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
