/**
 * Returns the number that a text states: its final answer if that is marked as in MATH (`\boxed{72}`) or GSM8K (`#### 72`), else the last
 * number in it. Null if there is none. Accepts:
 * - thousands separators: commas, spaces, apostrophes, and dots that are repeated or before a decimal comma. `1.234` is between 1 and 2;
 * - decimal commas, fractions (also ½), mixed numbers, LaTeX, currency and percent signs, the minus sign (U+2212) and exponents;
 * - times and ratios such as 8:30, as one number;
 * - powers (`2^10`, 5²), square roots and multiples of π, by their value. The power of a unit, such as m² or cm^2, is not a number.
 *
 * Sums and products are not computed, and of a range such as 10 - 20 the last number counts. Sources: the last number is also that of HELM
 * (`final_number_exact_match`), of Inspect (`match` with `numeric`) and of the flexible match of lm-evaluation-harness. In all three the
 * dot of `1.234` is a decimal point. The marks are those of the graders of GSM8K and MATH. The strict match of lm-evaluation-harness takes
 * `#### 18` anywhere, here it must be the last line or a result of the working. Inspect computes powers in the same way.
 */
export function readNumber(text: string): number | null {
  const marked = markedAnswer(text);
  return (marked === null ? null : lastNumber(marked)) ?? lastNumber(text);
}

const MAX_MARKED_LENGTH = 500;
const GSM8K_ANSWER = /^#### {0,3}([^\s\p{L}]{1,100})[^\S\n]*$/gmu;
const BOX = '\\boxed{';

function markedAnswer(text: string): string | null {
  const lines = [...text.matchAll(GSM8K_ANSWER)];
  // Several lines that begin with #### are headings.
  const [line, answer] = lines.length === 1 ? [lines[0], lines[0]?.[1]] : [];
  const box = text.lastIndexOf(BOX);
  if (line !== undefined && answer !== undefined && line.index > box && isResult(text, line)) return answer;
  return box < 0 ? null : inBraces(text.slice(box + BOX.length, box + BOX.length + MAX_MARKED_LENGTH));
}

/** The answer of GSM8K is the last line. Before other text, a line that repeats no result of the working can also be a heading. */
function isResult(text: string, { 0: line, 1: answer = '', index }: RegExpExecArray): boolean {
  const rest = text.slice(index + line.length);
  if (rest.trim() === '') return true;
  const value = lastNumber(answer);
  return value !== null && (numbersIn(text.slice(0, index)).includes(value) || equalities(rest).includes(value));
}

const MAX_EQUALITIES = 100;
const MAX_NUMBER_LENGTH = 40;

/** Returns the numbers that follow an equals sign. */
function equalities(text: string): number[] {
  const sides = text.split('=', MAX_EQUALITIES + 1).slice(1);
  return sides.flatMap((side) =>
    /^\s?[-−$€£¥]{0,2}\d/.test(side) ? numbersIn(side.slice(0, MAX_NUMBER_LENGTH)).slice(0, 1) : [],
  );
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
  const last = numbersIn(text).at(-1);
  return last === undefined || !Number.isFinite(last) ? null : last;
}

/** Returns the numbers of a text in order. One that is too large is infinite. */
function numbersIn(text: string): number[] {
  const spelled = text
    .replace(FRACTION_SIGN, (sign) => ` ${sign.trim().normalize('NFKD')}`)
    .replace(SUPERSCRIPT, (power) => `^${power.normalize('NFKC')}`)
    .replaceAll('\u2044', '/');
  // Before thousands are joined, because 1 100/200 is not 1,100/200.
  const mixed = spelled.replace(MIXED, mixedNumber);
  const plain = REWRITES.reduce(
    (sum, [pattern, to]) => (typeof to === 'string' ? sum.replace(pattern, to) : sum.replace(pattern, to)),
    mixed,
  );
  const decimal = plain.replace(MIXED, mixedNumber).replace(FRACTION, quotient);
  return Array.from(decimal.matchAll(NUMBER), ([number]) => plainNumber(number));
}

function plainNumber(text: string): number {
  return Number(text.replaceAll(',', '').replace(/[^\d.eE+-]/g, ''));
}

/** A fraction as one character, and a space before it. */
const FRACTION_SIGN = /\s?[¼-¾⅐-⅞↉]/g;

/** A power in raised characters, such as ² or ⁻³. */
const SUPERSCRIPT = /(?<=[\p{L}\d)}])[⁺⁻]?[⁰¹²³⁴-⁹]{1,4}/gu;

/** Notations that `NUMBER` does not match, each with its plain form. Applied in order. */
const REWRITES: readonly (readonly [RegExp, string | ((text: string, ...groups: string[]) => string)])[] = [
  [/−/g, '-'],
  // Thousands separators of LaTeX and of other languages.
  [/(?<=\d)(?:\{,\}|\\[,;:]|[\u00a0\u2007\u2009\u202f'’])(?=\d{3}(?!\d))/g, ','],
  [/(?<![\d.,]|\d )(\d{1,3}) (?=\d{3}(?: \d{3}){0,5}(?![\d]| \d))/g, '$1,'],
  [/(?<=,\d{3}) (?=\d{3}(?!\d))/g, ','],
  [/(?<![\d.,])(\d{1,3})\.(\d{3})(?:\.(\d{3}))?,(?=\d)(?!\d{3}(?:,|$))/g, '$1$2$3.'],
  [/(?<![\d.,])\d{1,3}(?:\.\d{3}){2,6}(?!\d|[.,]\d)/g, (text) => text.replaceAll('.', '')],
  [
    /(?<![\d:.,])(\d{1,3}):(\d{2})(?![\d:]|[.,]\d)/g,
    (_text, hours, minutes) => String(Number(hours) + Number(minutes) / 60),
  ],
  // A list such as 1,2,3 has no decimal commas.
  [/(?<![\d.,])(\d+),(?=(?:\d{1,2}|\d{4,20})(?![\d,]|\.\d))/g, '$1.'],
  // Powers of ten.
  [/(?<![\d.])10\s?(?:\^\s?\{?\s?([+-]?\d{1,4})\}?)/g, '10^$1'],
  [/(?<=\d)\s?(?:[×x*·]|\\times|\\cdot)\s?10\^(?=[+-]?\d)/g, 'e'],
  [/(?<![\d.])10\^(?=[+-]?\d)/g, '1e'],
  // Powers of units and variables.
  [/(?<=[\p{L})}])\s?\^\s?\{?[+-]?\d{1,4}\}?/gu, ''],
  [/(?<=(?<!\p{L})(?:[cdkmnµ]?m|ft|in|yd|mi|s))[23](?!\d|\.\d)/gu, ''],
  // Powers, square roots and multiples of π.
  [
    /(?<![\d.,])(\d{1,3}(?:,\d{3}){1,6}|\d{1,20})((?:\.\d{1,20})?)\s?\^\s?\{?\s?([+-]?\d{1,4})(?!\d|[.,]\d)\s?\}?(?!\s?\^)/g,
    (_text, whole = '', part = '', power) => String(plainNumber(whole + part) ** Number(power)),
  ],
  [
    /(\d{1,20}(?:\.\d{1,20})?)?\s?(?:\\sqrt\s?(?:\{\s?(\d{1,20}(?:\.\d{1,20})?)\s?\}|(\d))|√\s?(\d{1,20}(?:\.\d{1,20})?))/g,
    (_text, times = '1', ...[one, two, three]) => String(Number(times) * Math.sqrt(Number(one ?? two ?? three))),
  ],
  [/(?<!\d)(\d{1,20}(?:\.\d{1,20})?)\s?(?:\\pi(?!\p{L})|π)/gu, (_text, times) => String(Number(times) * Math.PI)],
  [/(?<=\{)\s?(?:\\pi|π)\s?(?=\})/g, String(Math.PI)],
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
  /(?:(?<![\w.)\]])[+-]|(?<![\w.)\]]|\d\s)[+-]\s)?(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+|(?=\.\d))(?:\.\d+)?(?:[eE][+-]?\d{1,4})?/g;
