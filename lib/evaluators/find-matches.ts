import type { RE2JS } from 're2js';

/** Matches from the left, not overlapping: how many, and the last one (its first group, or all of it). */
export type Matches = { ok: true; count: number; last: string | null } | { ok: false; reason: string };

/** One search looks at most at this many pairs of a character and a step of the pattern: well under a second. */
const MOST_WORK = 10_000_000;
const MOST_TIME_MS = 1_000;

/**
 * Finds up to `limit` matches. A search is linear in the text, but a pattern can make each of many searches read to the end: so
 * it gives up, with a reason, on texts too long for the pattern and after a second.
 */
export function findMatches(pattern: RE2JS, text: string, limit = Number.POSITIVE_INFINITY): Matches {
  const tooMuch = tooMuchWork(pattern, text);
  if (tooMuch !== null) return tooMuch;
  const matcher = pattern.matcher(text);
  const startedAt = performance.now();
  let count = 0;
  let last: string | null = null;
  while (count < limit && matcher.find()) {
    count++;
    last = (matcher.groupCount() > 0 ? matcher.group(1) : null) ?? matcher.group(0);
    if (performance.now() - startedAt > MOST_TIME_MS) {
      return { ok: false, reason: 'the pattern takes too long on this output' };
    }
  }
  return { ok: true, count, last };
}

/** Whether a pattern is found at all, which is quicker than counting. */
export function isFound(pattern: RE2JS, text: string): Matches {
  const tooMuch = tooMuchWork(pattern, text);
  return tooMuch ?? { ok: true, count: pattern.test(text) ? 1 : 0, last: null };
}

function tooMuchWork(pattern: RE2JS, text: string): Extract<Matches, { ok: false }> | null {
  if (text.length * pattern.programSize() <= MOST_WORK) return null;
  return { ok: false, reason: `the output (${text.length} characters) is too long for this pattern` };
}
