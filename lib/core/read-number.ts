/**
 * The number a text states: the text itself, or else the last number in it. Thousands commas, currency and percent signs, the
 * true minus sign and exponents are read; null when there is none.
 */
export function readNumber(text: string): number | null {
  const last = [...text.replaceAll('−', '-').matchAll(NUMBER)].at(-1);
  if (last === undefined) return null;
  const value = Number(last[0].replaceAll(',', '').replace(/[^\d.eE+-]/g, ''));
  return Number.isFinite(value) ? value : null;
}

/** A sign counts only where it can't be a hyphen or a minus between two numbers. */
const NUMBER =
  /(?:(?<![\w.)\]])[+-]\s?)?(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+|(?=\.\d))(?:\.\d+)?(?:[eE][+-]?\d{1,4})?/g;
