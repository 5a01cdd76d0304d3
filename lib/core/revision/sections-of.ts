import { type PromptTag, unquote } from '#lib/core/prompts/quote.ts';

/** A section of a text by UTF-16 positions (`end` excluded), without surrounding blank lines. */
export type Section = { start: number; end: number };

/** Splits a text into sections at blank lines. A fenced code block (``` or ~~~) is never split. An unclosed fence is ignored. */
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

/** Returns the index of the line that closes the fence opened at `at`, else `at`. Records fences without an end in `unclosed`. */
function endOfFence(lines: Line[], at: number, unclosed: Set<string>): number {
  const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(lines[at]?.text ?? '')?.[1];
  if (fence === undefined || unclosed.has(fence)) return at;
  for (let index = at + 1; index < lines.length; index++) {
    if (lines[index]?.text.trim() === fence) return index;
  }
  unclosed.add(fence);
  return at;
}

/** Content of a pair of tags in a response. `number` is the one in the opening tag, or null. */
type TaggedPart = { tag: PromptTag; number: number | null; text: string };

/**
 * Returns the parts of a response between pairs of these tags, in order, such as `<find>…</find>` or `<fix section="2">…</fix>`. One line
 * break after the opening tag and one before the closing tag belong to the format. The rest is unchanged, except that escapes of `quote`
 * are removed. A part without a closing tag is omitted and sets `isWhole` to false.
 */
export function taggedParts(response: string, tags: PromptTag[]): { parts: TaggedPart[]; isWhole: boolean } {
  const opening = new RegExp(`<(${tags.join('|')})(?:\\s+[a-z]{1,20}\\s*=?\\s*["']?(\\d{1,6})["']?)?\\s*>`, 'gi');
  const parts: TaggedPart[] = [];
  for (;;) {
    const match = opening.exec(response);
    const tag = tags.find((candidate) => candidate === match?.[1]?.toLowerCase());
    if (match === null || tag === undefined) return { parts, isWhole: true };
    const from = opening.lastIndex;
    const closing = new RegExp(`</${tag}\\s*>`, 'gi');
    closing.lastIndex = from;
    const end = closing.exec(response);
    if (end === null) return { parts, isWhole: false };
    const text = response
      .slice(from, end.index)
      .replace(/^[^\S\n]*\r?\n/, '')
      .replace(/\r?\n$/, '');
    parts.push({ tag, number: match[2] === undefined ? null : Number(match[2]), text: unquote(text) });
    opening.lastIndex = closing.lastIndex;
  }
}

/** A range of a text by UTF-16 positions (`end` excluded), and its replacement. `start` = `end` inserts. */
export type Span = { start: number; end: number; text: string };

/**
 * Returns the text with each span replaced. Spans must not overlap. Those that start at the same position are inserted in the given order.
 * Text outside of the spans stays byte-identical.
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
