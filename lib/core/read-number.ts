/**
 * Returns the number that a text states: its final answer if that is marked as in MATH (`\boxed{72}`) or GSM8K (`#### 72`), else the last
 * number in it. Accepts thousands separators (commas, spaces, apostrophes, and dots before a decimal comma), decimal commas, fractions
 * (also ½), mixed numbers, powers of ten, LaTeX, currency and percent signs, the minus sign (U+2212) and exponents. The power of a unit,
 * such as m² or cm^2, is not a number. Null if there is none.
 */
export function readNumber(text: string): number | null {
  const marked = markedAnswer(text);
  return (marked === null ? null : lastNumber(marked)) ?? lastNumber(text);
}

/** Maximum characters of a marked answer. */
const MAX_MARKED_LENGTH = 500;
const GSM8K_ANSWER = /^#### {0,3}([^\s\p{L}]{1,100})[^\S\n]*$/gmu;
const BOX = '\\boxed{';

/** Returns the last marked answer of a text, or null. */
function markedAnswer(text: string): string | null {
  // Several lines that begin with #### are headings.
  const lines = [...text.matchAll(GSM8K_ANSWER)];
  const ofGsm8k = lines.length === 1 ? lines[0] : undefined;
  const box = text.lastIndexOf(BOX);
  if (ofGsm8k !== undefined && ofGsm8k.index > box) return ofGsm8k[1] ?? null;
  return box < 0 ? null : inBraces(text.slice(box + BOX.length, box + BOX.length + MAX_MARKED_LENGTH));
}

/** Returns the beginning of a text up to the brace that closes it, or null if it stays open. */
function inBraces(text: string): string | null {
  let open = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') open++;
    else if (text[at] === '}') open--;
    if (open === 0) return text.slice(0, at);
  }
  return null;
}

function lastNumber(text: string): number | null {
  const spelled = text.replace(FRACTION_SIGN, (sign) => ` ${sign.trim().normalize('NFKD')}`).replaceAll('\u2044', '/');
  // Before thousands are joined, because 1 100/200 is not 1,100/200.
  const mixed = spelled.replace(MIXED, mixedNumber);
  const plain = REWRITES.reduce((sum, [pattern, replacement]) => sum.replace(pattern, replacement), mixed);
  const decimal = plain.replace(MIXED, mixedNumber).replace(FRACTION, quotient);
  const last = [...decimal.matchAll(NUMBER)].at(-1);
  if (last === undefined) return null;
  const value = Number(last[0].replaceAll(',', '').replace(/[^\d.eE+-]/g, ''));
  return Number.isFinite(value) ? value : null;
}

/** A fraction as one character, and a space before it. */
const FRACTION_SIGN = /\s?[¼-¾⅐-⅞↉]/g;

/** Notations that `NUMBER` does not match, each with its plain form. Applied in order. */
const REWRITES: readonly (readonly [RegExp, string])[] = [
  [/−/g, '-'],
  // Thousands separators of LaTeX and of other languages.
  [/(?<=\d)(?:\{,\}|\\[,;:]|[\u00a0\u2007\u2009\u202f'’])(?=\d{3}(?!\d))/g, ','],
  [/(?<![\d.,]|\d )(\d{1,3}) (?=\d{3}(?: \d{3}){0,5}(?![\d]| \d))/g, '$1,'],
  [/(?<=,\d{3}) (?=\d{3}(?!\d))/g, ','],
  [/(?<![\d.,])(\d{1,3})\.(\d{3})(?:\.(\d{3}))?,(?=\d)(?!\d{3}(?:,|$))/g, '$1$2$3.'],
  // A list such as 1,2,3 has no decimal commas.
  [/(?<![\d.,])(\d+),(?=(?:\d{1,2}|\d{4,20})(?![\d,]|\.\d))/g, '$1.'],
  // Powers of ten.
  [/(?<![\d.])10\s?(?:\^\s?\{?\s?([+-]?\d{1,4})\}?)/g, '10^$1'],
  [/(?<=\d)\s?(?:[×x*·]|\\times|\\cdot)\s?10\^(?=[+-]?\d)/g, 'e'],
  [/(?<![\d.])10\^(?=[+-]?\d)/g, '1e'],
  // Powers of units and variables.
  [/(?<=[\p{L})}])\s?\^\s?\{?[+-]?\d{1,4}\}?/gu, ''],
  [/(?<=(?<!\p{L})(?:[cdkmnµ]?m|ft|in|yd|mi|s))[23](?!\d|\.\d)/gu, ''],
  // The whole part of a mixed number.
  [/(?<=\d)(?:\s|\\[,;: ])?(?=\\[dt]?frac)/g, ' '],
  [/\\[dt]?frac\s?(?:\{\s?(-?[\d.]{1,20})\s?\}|(\d))\s?(?:\{\s?([\d.]{1,20})\s?\}|(\d))/g, '$1$2/$3$4'],
];

/** A whole number and a fraction, such as 1 1/2. */
const MIXED = /(?<![\w/.,]|\d )(\d{1,3}(?:,\d{3}){1,6}|\d{1,20}) (\d{1,20})\s?\/\s?(\d{1,20})(?![\d/]|[.,]\d)/g;

/** An improper fraction is a separate number. */
function mixedNumber(text: string, whole: string, over: string, under: string): string {
  const part = Number(over) / Number(under);
  return part < 1 ? String(Number(whole.replaceAll(',', '')) + part) : text;
}

/** A fraction of two whole numbers or decimals. A date such as 5/1/2024 is none. */
const FRACTION =
  /(?<![\d/.,])(\d{1,3}(?:,\d{3}){1,6}|\d{1,20}(?:\.\d{1,20})?)\s?\/\s?(\d{1,20}(?:\.\d{1,20})?)(?![\d/]|[.,]\d)/g;

function quotient(whole: string, over: string, under: string): string {
  return Number(under) === 0 ? whole : String(Number(over.replaceAll(',', '')) / Number(under));
}

/** A sign only counts if it cannot be a hyphen or a minus between two numbers. */
const NUMBER =
  /(?:(?<![\w.)\]])[+-]\s?)?(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+|(?=\.\d))(?:\.\d+)?(?:[eE][+-]?\d{1,4})?/g;
