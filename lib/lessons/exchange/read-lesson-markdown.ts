import { LESSON_FIELDS, LESSON_KINDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type ExchangedLesson, exchangedLessonSchema, hasForm, readLessonPath } from './exchanged-lesson.ts';
import { type FrontMatterEntry, readFrontMatter } from './front-matter.ts';
import { isProtocolFile, readProtocolHead } from './protocol-head.ts';
import { fencedLines, labelsOf, nameOf, sectionLabel } from './section-names.ts';

/**
 * Reads a lesson from its Markdown file: with a front matter, or without one in the reflection protocol's own form (`readProtocolHead`).
 * What neither says of agent and day, the path says. A file that has another form is refused with its path and the line at fault.
 */
export function readLessonMarkdown(path: string, file: string): Result<ExchangedLesson> {
  const refuse = (line: number, message: string) => fail('invalid', `${path}, line ${line}: ${message}.`, path);
  const lines = linesOf(file);
  const head = isProtocolFile(lines) ? readProtocolFile(lines) : readFrontMatterFile(lines);
  if (!head.ok) return refuse(head.line, head.message);
  const { kind, values, lineOf, bodyLine, fenced } = head;
  const sections = readSections(kind, lines, bodyLine, fenced);
  if (!sections.ok) return refuse(sections.line, sections.message);
  const read = exchangedLessonSchema.safeParse({
    ...withoutNulls(readLessonPath(path)),
    ...values,
    ...(hasForm(kind) ? { fields: textsOf(sections.sections) } : { text: sections.sections.get('text')?.text ?? '' }),
  });
  if (read.success) return succeed(read.data);
  const issue = read.error.issues[0];
  const [first = '', second] = (issue?.path ?? []).map(String);
  const name = second ?? first;
  const line = lineOf(first) ?? sections.sections.get(name)?.line ?? bodyLine;
  return refuse(line, `${first === 'fields' ? (labelOf(kind, name) ?? name) : name} ${issue?.message ?? 'is wrong'}`);
}

/** What stands above the sections. `lineOf`: the line that gives an entry; `fenced`: lines in code blocks, where no section begins. */
type Head =
  | {
      ok: true;
      kind: LessonKind;
      values: Record<string, unknown>;
      lineOf: (key: string) => number | undefined;
      bodyLine: number;
      fenced: readonly boolean[];
    }
  | { ok: false; line: number; message: string };

function readProtocolFile(lines: readonly string[]): Head {
  const head = readProtocolHead(lines);
  if (!head.ok) return head;
  const { kind, agent, createdAt, sourceInput, headLine, bodyLine } = head;
  const given = { kind, sourceInput, ...withoutNulls({ agent, createdAt }) };
  return {
    ...{ ok: true, kind, values: given, bodyLine, fenced: fencedLines(lines) },
    lineOf: (key) => (key in given ? headLine : undefined),
  };
}

function readFrontMatterFile(lines: readonly string[]): Head {
  const front = readFrontMatter(lines);
  if (!front.ok) return front;
  const { entries, bodyLine } = front;
  const refuse = (line: number, message: string): Head => ({ ok: false, line, message });
  const unknown = entries.find(({ key }) => !KEYS.includes(key));
  if (unknown !== undefined)
    return refuse(unknown.line, `${unknown.key} is no entry of a lesson: they are ${KEYS.join(', ')}`);
  const given = entries.find(({ key }) => key === 'kind');
  const kind = LESSON_KINDS.find((name) => name === given?.value);
  if (kind === undefined) return refuse(given?.line ?? 1, `kind must be one of ${LESSON_KINDS.join(', ')}`);
  return {
    ...{ ok: true, kind, bodyLine, fenced: [] },
    values: Object.fromEntries(entries.map((entry) => [entry.key, entryValue(entry)])),
    lineOf: (key) => entries.find((entry) => entry.key === key)?.line,
  };
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
function readSections(
  kind: LessonKind,
  lines: readonly string[],
  bodyLine: number,
  fenced: readonly boolean[],
): Sections {
  const sections = new Map<string, Section>();
  let open: { name: string; line: number; lines: string[] } | null = null;
  const close = () => {
    if (open !== null) sections.set(open.name, { text: open.lines.join('\n').trim(), line: open.line });
  };
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    if (number < bodyLine) continue;
    const label = fenced[index] === true ? null : sectionLabel(line);
    if (label !== null) {
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

function labelOf(kind: LessonKind, name: string): string | undefined {
  return LESSON_FIELDS[kind].find((field) => field.name === name)?.label;
}

function withoutNulls(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}
