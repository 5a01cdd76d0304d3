/** Maximum length in characters. Longer texts are shown as plain text. */
const MOST_CHARACTERS = 50_000;
/** Each line can be a block, such as a heading or a table row. */
const MOST_LINES = 5_000;
/** Maximum number of lists and quotations opened on one line. Each level multiplies the parser's work. */
const MOST_CONTAINERS_ON_A_LINE = 16;
const MOST_CONTAINERS = 4_000;
/** Limits on emphasis markers and closing brackets. The parser compares each with all earlier ones. */
const MOST_EMPHASIS = 2_500;
const MOST_CLOSING_BRACKETS = 2_500;

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$)))+/gm;
const CONTAINER = />|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)]/g;

/**
 * True if a text renders as Markdown in well under a second. The parser is quadratic or worse for some artificial texts: 9 kB of nested
 * list markers took 41 s. Such texts are shown as plain text. This check is linear in the text length.
 */
export function canRenderMarkdown(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  if (countOf(text, /\n/g, MOST_LINES) > MOST_LINES) return false;
  if (countOf(text, /[*_~]/g, MOST_EMPHASIS) > MOST_EMPHASIS) return false;
  if (countOf(text, /\]/g, MOST_CLOSING_BRACKETS) > MOST_CLOSING_BRACKETS) return false;
  let containers = 0;
  for (const [markers] of text.matchAll(CONTAINERS)) {
    const count = countOf(markers, CONTAINER, MOST_CONTAINERS_ON_A_LINE);
    containers += count;
    if (count > MOST_CONTAINERS_ON_A_LINE || containers > MOST_CONTAINERS) return false;
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
