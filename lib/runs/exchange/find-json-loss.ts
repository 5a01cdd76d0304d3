/** What valid JSON holds that cannot be kept as it was written: where (`at`, `length` in UTF-16 units), and what is wrong in words. */
export type JsonLoss = { at: number; length: number; message: string };

const MAYBE = /\d{16}|\d[eE][+-]?\d|\\u(?:0000|[dD][89a-fA-F])/;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const SHOWN_LENGTH = 40;

/**
 * The first number that would be written out as another one, since no double-precision number (IEEE 754) stands for it, or the first text
 * with U+0000 or half of a surrogate pair, which PostgreSQL does not store. Null where all is kept. `json` must be valid JSON.
 */
export function findJsonLoss(json: string): JsonLoss | null {
  if (!MAYBE.test(json)) return null;
  for (const { 0: token, index: at } of json.matchAll(TOKENS)) {
    const message = token.startsWith('"') ? textLoss(token) : numberLoss(token);
    if (message !== null) return { at, length: token.length, message };
  }
  return null;
}

function textLoss(token: string): string | null {
  if (!MAYBE.test(token)) return null;
  const text: unknown = JSON.parse(token);
  if (typeof text !== 'string' || (text.isWellFormed() && !text.includes('\u0000'))) return null;
  return 'this text holds U+0000 or half of a character (a lone surrogate), which cannot be stored; take it out';
}

function numberLoss(token: string): string | null {
  const value = Number(token);
  const isWhole = /^-?\d+$/.test(token);
  const isKept = isWhole
    ? Number.isFinite(value) && (String(value) === token || BigInt(value) === BigInt(token))
    : Number.isFinite(value) && (value !== 0 || !/[1-9]/.test(token.split(/[eE]/)[0] ?? ''));
  if (isKept) return null;
  const shown = token.length > SHOWN_LENGTH ? `${token.slice(0, SHOWN_LENGTH)}…` : token;
  return `the number ${shown} is too large or too small to be kept exactly; write it as a text, in quotes`;
}
