/** Longer texts are shown as plain text. */
const MOST_CHARACTERS = 50_000;
/** Lines can each be a block, such as a heading or a row of a table. */
const MOST_LINES = 5_000;
/** Lists and quotations opened on one line. Each level multiplies the work of the parser. */
const MOST_CONTAINERS_ON_A_LINE = 16;
const MOST_CONTAINERS = 4_000;
/** Signs of emphasis, and closing brackets: the parser compares each with those before it. */
const MOST_EMPHASIS = 2_500;
const MOST_CLOSING_BRACKETS = 2_500;

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)](?=[ \t\r\n]|$)))+/gm;
const CONTAINER = />|[-+*](?=[ \t\r\n]|$)|\d{1,9}[.)]/g;

/**
 * Whether a text can be rendered as Markdown in well under a second. The parser takes quadratic time and more for some texts that no
 * writer writes (9 kB of nested list markers took 41 s), so those are shown as plain text. Linear in the text's length.
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

/** How often a global pattern matches; counting ends behind `most`. */
function countOf(text: string, pattern: RegExp, most: number): number {
  let count = 0;
  for (const _match of text.matchAll(pattern)) {
    count += 1;
    if (count > most) break;
  }
  return count;
}
