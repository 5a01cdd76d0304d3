import { exactFunction } from './exact-functions.ts';
import { asNumber, type Evaluated, finite, fraction, TOO_LARGE, type Value } from './fraction.ts';
import { operate } from './operate.ts';
import { type Expression, parseExpression } from './parse-expression.ts';
import { roundedFunction } from './rounded-functions.ts';
import { showNumber } from './show-number.ts';

/** What a calculation comes to, in digits, and whether that is the very number; or why there is none, as the end of "…, because". */
export type Calculated = { ok: true; text: string; isExact: boolean } | { ok: false; problem: string };

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
