import { LESSON_FIELDS, type LessonKind } from '#lib/reflection/lesson-kinds.ts';
import { hasForm } from './exchanged-lesson.ts';
import { TEXT_SECTION } from './write-lesson-markdown.ts';

/** The labels of the sections that a kind's file has. */
export function labelsOf(kind: LessonKind): string[] {
  return hasForm(kind) ? LESSON_FIELDS[kind].map(({ label }) => label) : [TEXT_SECTION];
}

/** Sections as other files of this protocol word them. */
const OTHER_LABELS = new Map([
  ['why did it go wrong', 'why'],
  ['why was this option chosen', 'why'],
  ['what should i do differently', 'whatToDoDifferently'],
  ['tactical rule candidate', 'tacticalRule'],
  ['what was the decision', 'what'],
  ['what alternatives existed', 'alternatives'],
]);

/** The field of a kind that a section's label names, `text` for kinds without fields; null where the kind has no such section. */
export function nameOf(kind: LessonKind, label: string): string | null {
  const wanted = label.replace(/\s*[?:]+$/, '').toLowerCase();
  if (!hasForm(kind)) return wanted === TEXT_SECTION.toLowerCase() ? 'text' : null;
  const other = OTHER_LABELS.get(wanted);
  return (
    LESSON_FIELDS[kind].find(({ name, label: own }) => own.toLowerCase() === wanted || name === other)?.name ?? null
  );
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
