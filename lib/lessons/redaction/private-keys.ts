import type { Found } from './finder.ts';

/** Characters between the first and last line of a key; one of 16,384 bits has 12,600. */
const LONGEST_PRIVATE_KEY = 20_000;

/** Finds private keys in PEM form as whole blocks, and as far as they go where their last line is missing. */
export function findPrivateKeys(text: string): Found[] {
  const found: Found[] = [];
  for (const begin of text.matchAll(/-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g)) {
    const after = begin.index + begin[0].length;
    const next = text.indexOf('-----BEGIN', after);
    const rest = text.slice(after, Math.min(after + LONGEST_PRIVATE_KEY, next === -1 ? text.length : next));
    const last = /-----END [A-Z0-9 ]{1,60}-----/.exec(rest);
    const body = last === null ? (UNENDED.exec(rest)?.[0] ?? '') : rest.slice(0, last.index);
    // Words about such blocks are none.
    if (!/[A-Za-z0-9+/=]{24,}/.test(body)) continue;
    found.push({ kind: 'private key', start: begin.index, end: after + body.length + (last?.[0].length ?? 0) });
  }
  return found;
}

const UNENDED = /^(?:(?:\s|\\n){0,4}[A-Za-z0-9+/=]{16,})+(?:\s[A-Za-z0-9+/=]{1,15}(?=\s|$))?/;
