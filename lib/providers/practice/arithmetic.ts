/** How a sum is worked out: by the rules, or by the usual mistake of adding and subtracting first. */
export type Precedence = 'right' | 'reversed';

const EXPRESSION =
  /\({0,5}\s?-?\d[\d,]{0,15}(?:\.\d{1,9})?\s{0,2}\){0,5}(?:\s{0,2}[+\-−–×xX*·/÷:]\s{0,2}\({0,5}\s?\d[\d,]{0,15}(?:\.\d{1,9})?\s{0,2}\){0,5})+/g;

/** The longest sum in a text, with plain signs: `17 * 23 + 4`; null when there is none. */
export function expressionIn(text: string): string | null {
  const found = (text.match(EXPRESSION) ?? []).toSorted((one, other) => other.length - one.length)[0];
  if (found === undefined) return null;
  const plain = found
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/[×xX·]/g, '*')
    .replace(/[÷:]/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/\s+/g, ' ')
    .trim();
  return Number.isFinite(workOut(plain, 'right')) ? plain : null;
}

/** The value of a sum; NaN when it can't be read. */
export function workOut(expression: string, precedence: Precedence): number {
  const tokens = expression.match(/\d+(?:\.\d+)?|[-+*/()]/g) ?? [];
  const levels = precedence === 'right' ? ['+-', '*/'] : ['*/', '+-'];
  let at = 0;
  const value = level(0);
  return at === tokens.length ? value : Number.NaN;

  function level(depth: number): number {
    const signs = levels[depth];
    if (signs === undefined) return single();
    let left = level(depth + 1);
    for (let sign = tokens[at]; sign !== undefined && signs.includes(sign); sign = tokens[at]) {
      at++;
      left = applied(left, sign, level(depth + 1));
    }
    return left;
  }

  function single(): number {
    const token = tokens[at++];
    if (token === '-') return -single();
    if (token !== '(') return token === undefined ? Number.NaN : Number(token);
    const inner = level(0);
    return tokens[at++] === ')' ? inner : Number.NaN;
  }
}

/** A sum with its additions and subtractions in brackets, so that they come first; one that has brackets of its own stays as it is. */
export function sumsFirst(expression: string): string {
  if (expression.includes('(')) return expression;
  return expression
    .split(/ ?([*/]) ?/)
    .map((part, at) => (at % 2 === 0 && /\d ?[+-]/.test(part) ? `(${part})` : part))
    .join(' ');
}

function applied(left: number, sign: string, right: number): number {
  switch (sign) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    default:
      return left / right;
  }
}
