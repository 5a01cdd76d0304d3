import { LESSON_FIELDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { hasForm } from './exchanged-lesson.ts';
import { PROTOCOL_SECTIONS, TEXT_SECTION } from './write-lesson-markdown.ts';

/** The labels of the sections that a kind's file has. */
export function labelsOf(kind: LessonKind): string[] {
  return hasForm(kind) ? LESSON_FIELDS[kind].map(({ label }) => label) : [TEXT_SECTION];
}

/**
 * The field of a kind that a section's label names, as the app or the protocol words it; `text` for kinds without fields; null where
 * the kind has no such section.
 */
export function nameOf(kind: LessonKind, label: string): string | null {
  const wanted = plainLabel(label);
  if (!hasForm(kind)) return wanted === plainLabel(TEXT_SECTION) ? 'text' : null;
  const wordings = (name: string, own: string) => [own, PROTOCOL_SECTIONS[kind]?.[name] ?? own].map(plainLabel);
  return LESSON_FIELDS[kind].find(({ name, label: own }) => wordings(name, own).includes(wanted))?.name ?? null;
}

function plainLabel(label: string): string {
  return label.replace(/\s*[?:]+$/, '').toLowerCase();
}

/** The label of a second-level heading; null for any other line. */
export function sectionLabel(line: string): string | null {
  return /^## +(.*)$/.exec(line)?.[1]?.trim() ?? null;
}

/** Whether each line stands in a fenced code block, its fences included; a fence that is never closed opens none. */
export function fencedLines(lines: readonly string[]): boolean[] {
  const fenced = lines.map(() => false);
  let open: { place: number; fence: string } | null = null;
  for (const [place, line] of lines.entries()) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) continue;
    if (open === null) open = { place, fence };
    else if (fence.startsWith(open.fence) && line.trim() === fence) {
      fenced.fill(true, open.place, place + 1);
      open = null;
    }
  }
  return fenced;
}
