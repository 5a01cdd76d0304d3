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
