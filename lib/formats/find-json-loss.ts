import { endOfJsonText } from './find-json-error.ts';

/** What valid JSON holds that cannot be kept as it was written: where (`at`, `length` in UTF-16 units), and what is wrong in words. */
export type JsonLoss = { at: number; length: number; message: string };

const MAYBE = /\d{16}|\d[eE][+-]?\d/;
const TOKEN = /"|-?\d[\d.eE+-]*/g;
const SHOWN_LENGTH = 40;

/**
 * The first number that would be written out as another one, since no double-precision number (IEEE 754) stands for it. Null where all are kept.
 * `json` must be valid JSON.
 */
export function findJsonLoss(json: string): JsonLoss | null {
  if (!MAYBE.test(json)) return null;
  const tokens = new RegExp(TOKEN);
  for (let found = tokens.exec(json); found !== null; found = tokens.exec(json)) {
    const { 0: token, index: at } = found;
    if (token === '"') tokens.lastIndex = endOfJsonText(json, at) ?? json.length;
    else {
      const message = numberLoss(token);
      if (message !== null) return { at, length: token.length, message };
    }
  }
  return null;
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
