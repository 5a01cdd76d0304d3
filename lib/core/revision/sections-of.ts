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
