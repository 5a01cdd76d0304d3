import {
  asNumber,
  type Evaluated,
  type Fraction,
  finite,
  fraction,
  powerOf,
  TOO_LARGE,
  type Value,
} from './fraction.ts';
import type { Operator } from './parse-expression.ts';

/** One operation on two values: exact where both are, and the result is a fraction of bearable length. */
export function operate(sign: Operator, left: Value, right: Value): Evaluated {
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
