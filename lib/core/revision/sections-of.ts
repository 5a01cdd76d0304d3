import { type PromptTag, unquote } from '#lib/core/prompts/quote.ts';

/** A section of a text by its UTF-16 positions (`end` not included), without the blank lines around it. */
export type Section = { start: number; end: number };

/**
 * The sections of a text: what stands between blank lines. A block of code between fences (``` or ~~~) is never divided; a fence
 * that is not closed divides as if it were none.
 */
export function sectionsOf(text: string): Section[] {
  const lines = linesOf(text);
  const sections: Section[] = [];
  const unclosed = new Set<string>();
  let open: Section | null = null;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line === undefined) continue;
    if (line.text.trim() === '') {
      open = null;
      continue;
    }
    at = endOfFence(lines, at, unclosed);
    const last = lines[at] ?? line;
    const end = last.start + last.text.length;
    if (open === null) {
      open = { start: line.start, end };
      sections.push(open);
    } else open.end = end;
  }
  return sections;
}

type Line = { start: number; text: string };

function linesOf(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((raw) => {
    const line = { start, text: raw.endsWith('\r') ? raw.slice(0, -1) : raw };
    start += raw.length + 1;
    return line;
  });
}

/** The line that closes the fence opened by a line; the line itself where it opens none. Keeps in `unclosed` what it looked for in vain. */
function endOfFence(lines: Line[], at: number, unclosed: Set<string>): number {
  const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(lines[at]?.text ?? '')?.[1];
  if (fence === undefined || unclosed.has(fence)) return at;
  for (let place = at + 1; place < lines.length; place++) {
    if (lines[place]?.text.trim() === fence) return place;
  }
  unclosed.add(fence);
  return at;
}

/** What a reply holds between a pair of tags: `number` is the one in the opening tag, null where it has none. */
type TaggedPart = { tag: PromptTag; number: number | null; text: string };

/**
 * The parts of a reply between pairs of these tags, in order, such as `<find>…</find>` or `<fix section="2">…</fix>`. One line
 * break behind the opening and one before the closing tag belong to the form; all else between them is taken as it is, and what
 * `quote` broke is whole again. A part without its end is left out and makes `isWhole` false.
 */
export function taggedParts(reply: string, tags: PromptTag[]): { parts: TaggedPart[]; isWhole: boolean } {
  const opening = new RegExp(`<(${tags.join('|')})(?:\\s+[a-z]{1,20}\\s*=?\\s*["']?(\\d{1,6})["']?)?\\s*>`, 'gi');
  const parts: TaggedPart[] = [];
  for (;;) {
    const match = opening.exec(reply);
    const tag = tags.find((candidate) => candidate === match?.[1]?.toLowerCase());
    if (match === null || tag === undefined) return { parts, isWhole: true };
    const from = opening.lastIndex;
    const closing = new RegExp(`</${tag}\\s*>`, 'gi');
    closing.lastIndex = from;
    const end = closing.exec(reply);
    if (end === null) return { parts, isWhole: false };
    const text = reply
      .slice(from, end.index)
      .replace(/^[^\S\n]*\r?\n/, '')
      .replace(/\r?\n$/, '');
    parts.push({ tag, number: match[2] === undefined ? null : Number(match[2]), text: unquote(text) });
    opening.lastIndex = closing.lastIndex;
  }
}

/** A piece of a text by its UTF-16 positions (`end` not included), and what is to stand in its place; `start` = `end` inserts. */
export type Span = { start: number; end: number; text: string };

/**
 * The text with each span replaced. Spans must not overlap; those that begin at the same place go in as they are given. All that no
 * span covers stays byte for byte.
 */
export function replaceSpans(text: string, spans: Span[]): string {
  const inOrder = spans.toSorted((one, other) => one.start - other.start || one.end - other.end);
  const pieces: string[] = [];
  let at = 0;
  for (const span of inOrder) {
    if (span.start < at) throw new Error('spans to replace overlap');
    pieces.push(text.slice(at, span.start), span.text);
    at = span.end;
  }
  return [...pieces, text.slice(at)].join('');
}
