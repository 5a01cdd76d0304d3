/** Maximum length in characters. Longer texts are shown as plain text. */
const MAX_CHARACTERS = 50_000;
/** Each line can be a block, such as a heading or a table row. */
const MAX_LINES = 5_000;
/** Maximum number of lists and quotations opened on one line. Each level multiplies the parser's work. */
const MAX_CONTAINERS_PER_LINE = 16;
const MAX_CONTAINERS = 4_000;
/** Limits on emphasis markers and closing brackets. The parser compares each with all earlier ones. */
const MAX_EMPHASIS_MARKERS = 2_500;
const MAX_CLOSING_BRACKETS = 2_500;

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$)))+/gm;
const CONTAINER = />|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)]/g;

/**
 * True if a text renders as Markdown in well under a second. The parser is quadratic or worse for some artificial texts: 9 kB of nested
 * list markers took 41 s. Such texts are shown as plain text. This check is linear in the text length.
 */
export function canRenderMarkdown(text: string): boolean {
  if (text.length > MAX_CHARACTERS) return false;
  if (countOf(text, /\n/g, MAX_LINES) > MAX_LINES) return false;
  if (countOf(text, /[*_~]/g, MAX_EMPHASIS_MARKERS) > MAX_EMPHASIS_MARKERS) return false;
  if (countOf(text, /\]/g, MAX_CLOSING_BRACKETS) > MAX_CLOSING_BRACKETS) return false;
  let containers = 0;
  for (const [markers] of text.matchAll(CONTAINERS)) {
    const count = countOf(markers, CONTAINER, MAX_CONTAINERS_PER_LINE);
    containers += count;
    if (count > MAX_CONTAINERS_PER_LINE || containers > MAX_CONTAINERS) return false;
  }
  return true;
}

/** Counts the matches of a global pattern and stops once the count exceeds `most`. */
function countOf(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) {
    count += 1;
    if (count > most) break;
  }
  return count;
}
