import { LESSON_FIELDS, LESSON_KINDS, type LessonKind } from '#lib/reflection/lesson-kinds.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { type ExchangedLesson, exchangedLessonSchema, hasForm } from './exchanged-lesson.ts';
import { type FrontMatterEntry, readFrontMatter } from './front-matter.ts';
import { readLessonPath } from './lesson-path.ts';
import { TEXT_SECTION } from './write-lesson-markdown.ts';

/**
 * Reads a lesson from its Markdown file. What the front matter does not say of agent and day, the path says. A file that has another
 * form is refused with its path and the line at fault.
 */
export function readLessonMarkdown(path: string, file: string): Result<ExchangedLesson> {
  const refuse = (line: number, message: string) => fail('invalid', `${path}, line ${line}: ${message}.`, path);
  const lines = linesOf(file);
  const front = readFrontMatter(lines);
  if (!front.ok) return refuse(front.line, front.message);
  const { entries, bodyLine } = front;
  const unknown = entries.find(({ key }) => !KEYS.includes(key));
  if (unknown !== undefined)
    return refuse(unknown.line, `${unknown.key} is no entry of a lesson: they are ${KEYS.join(', ')}`);
  const given = entries.find(({ key }) => key === 'kind');
  const kind = LESSON_KINDS.find((name) => name === given?.value);
  if (kind === undefined) return refuse(given?.line ?? 1, `kind must be one of ${LESSON_KINDS.join(', ')}`);
  const sections = readSections(kind, lines, bodyLine);
  if (!sections.ok) return refuse(sections.line, sections.message);
  const read = exchangedLessonSchema.safeParse({
    ...withoutNulls(readLessonPath(path)),
    ...Object.fromEntries(entries.map((entry) => [entry.key, entryValue(entry)])),
    ...(hasForm(kind) ? { fields: textsOf(sections.sections) } : { text: sections.sections.get('text')?.text ?? '' }),
  });
  if (read.success) return succeed(read.data);
  const issue = read.error.issues[0];
  const [first = '', second] = (issue?.path ?? []).map(String);
  const name = second ?? first;
  const line = entries.find(({ key }) => key === first)?.line ?? sections.sections.get(name)?.line ?? bodyLine;
  return refuse(line, `${first === 'fields' ? (labelOf(kind, name) ?? name) : name} ${issue?.message ?? 'is wrong'}`);
}

const KEYS = [
  'kind',
  'status',
  'agent',
  'taskType',
  'tools',
  'block',
  'sourceInput',
  'sourceScore',
  'createdBy',
  'createdAt',
];

/** Files of other systems may end their lines in two characters, from the first line on. */
function linesOf(file: string): string[] {
  const text = file.replace(/^\uFEFF/, '');
  return /^[^\n]*\r\n/.test(text) ? text.split(/\r?\n/) : text.split('\n');
}

function entryValue({ key, value }: FrontMatterEntry): unknown {
  if (value === null)
    return key === 'agent' || key === 'taskType' || key === 'sourceScore' || key === 'createdAt' ? null : undefined;
  return key === 'sourceScore' && typeof value === 'string' ? Number(value) : value;
}

type Section = { text: string; line: number };
type Sections = { ok: true; sections: Map<string, Section> } | { ok: false; line: number; message: string };

/** By the names of the kind's fields, or `text` for a kind without; a heading before the first section is for people only. */
function readSections(kind: LessonKind, lines: readonly string[], bodyLine: number): Sections {
  const sections = new Map<string, Section>();
  let open: { name: string; line: number; lines: string[] } | null = null;
  const close = () => {
    if (open !== null) sections.set(open.name, { text: open.lines.join('\n').trim(), line: open.line });
  };
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (number < bodyLine) continue;
    const label = /^## +(.*)$/.exec(line)?.[1]?.trim();
    if (label !== undefined) {
      const name = nameOf(kind, label);
      if (name === null)
        return {
          ok: false,
          line: number,
          message: `"${label}" is no section of the kind ${kind}: they are ${labelsOf(kind).join(', ')}`,
        };
      close();
      if (sections.has(name)) return { ok: false, line: number, message: `the section "${label}" is there twice` };
      open = { name, line: number, lines: [] };
    } else if (open !== null) open.lines.push(line.replace(/^\\(\\*## )/, '$1'));
    else if (line.trim() !== '' && !/^# /.test(line)) {
      if (hasForm(kind))
        return { ok: false, line: number, message: `text must stand in a section: ${labelsOf(kind).join(', ')}` };
      open = { name: 'text', line: number, lines: [line] };
    }
  }
  close();
  return { ok: true, sections };
}

function textsOf(sections: Map<string, Section>): Record<string, string> {
  return Object.fromEntries(Array.from(sections, ([name, { text }]) => [name, text]));
}

function labelsOf(kind: LessonKind): string[] {
  return hasForm(kind) ? LESSON_FIELDS[kind].map(({ label }) => label) : [TEXT_SECTION];
}

function labelOf(kind: LessonKind, name: string): string | undefined {
  return LESSON_FIELDS[kind].find((field) => field.name === name)?.label;
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

function nameOf(kind: LessonKind, label: string): string | null {
  const wanted = label.replace(/\s*\?$/, '').toLowerCase();
  if (!hasForm(kind)) return wanted === TEXT_SECTION.toLowerCase() ? 'text' : null;
  const other = OTHER_LABELS.get(wanted);
  return (
    LESSON_FIELDS[kind].find(({ name, label: own }) => own.toLowerCase() === wanted || name === other)?.name ?? null
  );
}

function withoutNulls(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}
