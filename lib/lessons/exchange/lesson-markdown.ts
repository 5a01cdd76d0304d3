import { LESSON_FIELDS, LESSON_KINDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { withLength } from '#lib/core/setting-parts.ts';
import {
  type ExchangedLesson,
  exchangedLessonSchema,
  hasForm,
  readLessonPath,
  shortTitle,
} from './exchanged-lesson.ts';
import {
  type FileFault,
  type FrontMatterEntry,
  fileFault,
  readFrontMatter,
  startsWithFrontMatter,
  writeFrontMatter,
} from './front-matter.ts';

/**
 * Parses a lesson from its Markdown file, with a front matter, or in the form of the reflection protocol (`readProtocolHead`). A missing
 * agent or day is taken from the path. Other files are rejected with their path and the faulty line.
 */
export function readLessonMarkdown(path: string, file: string): Result<ExchangedLesson> {
  const refuse = ({ line, message }: FileFault) => fail('invalid', `${path}, line ${line}: ${message}.`, path);
  const lines = linesOf(file);
  const head = startsWithFrontMatter(lines) ? readFrontMatterHead(lines) : readProtocolHead(lines);
  if (!head.ok) return refuse(head);
  const read = readSections(head, lines);
  if (!read.ok) return refuse(read);
  const { kind, values, lineOf, bodyLine } = head;
  const { sections } = read;
  const texts = Object.fromEntries(Array.from(sections, ([name, section]) => [name, section.lines.join('\n').trim()]));
  const lesson = {
    ...withoutNulls(readLessonPath(path)),
    ...values,
    ...(hasForm(kind) ? { fields: texts } : { text: texts.text ?? '' }),
  };
  const parsed = exchangedLessonSchema.safeParse(lesson, { reportInput: true });
  if (parsed.success) return succeed(parsed.data);
  const issue = parsed.error.issues[0];
  const [first = '', second] = (issue?.path ?? []).map(String);
  const name = second ?? first;
  const label = first === 'fields' ? LESSON_FIELDS[kind].find((field) => field.name === name)?.label : undefined;
  const line = lineOf(first) ?? sections.get(name)?.line ?? bodyLine;
  return refuse(fileFault(line, `${label ?? name} ${issue === undefined ? 'is wrong' : withLength(issue)}`));
}

/** The part of a file above its sections. `lineOf`: the line of an entry. `fenced`: lines in code blocks, in which no section begins. */
type Head = {
  ok: true;
  kind: LessonKind;
  values: Record<string, unknown>;
  lineOf: (key: string) => number | undefined;
  bodyLine: number;
  fenced: readonly boolean[];
};

function readFrontMatterHead(lines: readonly string[]): Head | FileFault {
  const front = readFrontMatter(lines);
  if (!front.ok) return front;
  const { entries, bodyLine } = front;
  const unknown = entries.find(({ key }) => !KEYS.some((known) => known === key));
  if (unknown !== undefined)
    return fileFault(unknown.line, `${unknown.key} is no entry of a lesson: they are ${KEYS.join(', ')}`);
  const kindEntry = entries.find(({ key }) => key === 'kind');
  const kind = LESSON_KINDS.find((name) => name === kindEntry?.value);
  if (kind === undefined) return fileFault(kindEntry?.line ?? 1, `kind must be one of ${LESSON_KINDS.join(', ')}`);
  const values = Object.fromEntries(entries.map((entry) => [entry.key, entryValue(entry)]));
  const lineOf = (key: string) => entries.find((entry) => entry.key === key)?.line;
  return { ok: true, kind, values, lineOf, bodyLine, fenced: [] };
}

/** The entries of a front matter, in order. */
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
] as const;

/** Splits a file into lines. Files of other systems may use CRLF, consistently from the first line. */
function linesOf(file: string): string[] {
  const text = file.replace(/^\uFEFF/, '');
  return /^[^\n]*\r\n/.test(text) ? text.split(/\r?\n/) : text.split('\n');
}

function entryValue({ key, value }: FrontMatterEntry): unknown {
  if (value === null)
    return key === 'agent' || key === 'taskType' || key === 'sourceScore' || key === 'createdAt' ? null : undefined;
  return key === 'sourceScore' && typeof value === 'string' ? Number(value) : value;
}

type Section = { line: number; lines: string[] };

/** Returns the sections by field name, or as `text` for a kind without fields. A heading before the first section is ignored. */
function readSections(
  { kind, bodyLine, fenced }: Head,
  lines: readonly string[],
): { ok: true; sections: Map<string, Section> } | FileFault {
  const sections = new Map<string, Section>();
  let open: Section | undefined;
  const begin = (name: string, section: Section) => {
    sections.set(name, section);
    open = section;
  };
  for (const [index, line] of lines.slice(bodyLine - 1).entries()) {
    const number = bodyLine + index;
    const label = fenced[number - 1] ? null : sectionLabel(line);
    if (label !== null) {
      const name = nameOf(kind, label);
      if (name === null)
        return fileFault(number, `"${label}" is not a section of the kind ${kind} (sections: ${labelsOf(kind)})`);
      if (sections.has(name)) return fileFault(number, `the section "${label}" appears twice`);
      begin(name, { line: number, lines: [] });
    } else if (open !== undefined) open.lines.push(line.replace(/^\\(\\*## )/, '$1'));
    else if (line.trim() !== '' && !line.startsWith('# ')) {
      if (hasForm(kind)) return fileFault(number, `text must be in a section: ${labelsOf(kind)}`);
      begin('text', { line: number, lines: [line] });
    }
  }
  return { ok: true, sections };
}

function withoutNulls(values: Record<string, string | null>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

const PROTOCOL_FORM = '"# Reflection: 2026-03-01 - agent-name - task summary"';

/** Maximum stored length of the task summary, in characters. */
const SUMMARY_LENGTH = 2_000;

/**
 * Parses the head of a reflection protocol file, `# Reflection: [date] - [agent-name] - [task summary]` or `# Procedure: …`. Also accepts
 * `# Decision: …` and the headings of the export. The kind follows from the heading and the sections below it. A reflection with three
 * sections is for a partial task, with five for a failed one. Sections of a decision make it a decision. Source: the reflection protocol,
 * 3.
 */
function readProtocolHead(lines: readonly string[]): Head | FileFault {
  const index = lines.findIndex((line) => line.trim() !== '');
  const line = index + 1;
  if (index < 0)
    return fileFault(1, `the file is empty: begin with a front matter or a heading such as ${PROTOCOL_FORM}`);
  const head = headOf(lines[index] ?? '');
  if (head === null)
    return fileFault(
      line,
      `must begin with a front matter (a line of three dashes) or a heading such as ${PROTOCOL_FORM}`,
    );
  const { word, rest } = head;
  const kinds = kindsOf(word);
  if (kinds.length === 0) {
    const words = [...new Set(Object.values(HEADINGS))].join(', ');
    return fileFault(line, `"${word}" is no heading of a lesson: they are ${words}`);
  }
  const [date = '', agent = '', ...others] = rest.split(/(?<!\s)\s+[-–—]\s+/);
  const [day, name, summary] = [unbracketed(date), unbracketed(agent), unbracketed(others.join(' - '))];
  if (day === '' || name === '' || summary === '')
    return fileFault(line, `the heading must be written as ${PROTOCOL_FORM}, got "${rest.slice(0, 80)}"`);
  const createdAt = day.toLowerCase() === 'undated' ? null : timeOf(day);
  if (createdAt === undefined) return fileFault(line, `the date must be such as 2026-03-01, got "${day.slice(0, 40)}"`);
  const fenced = fencedLines(lines);
  const body = lines.flatMap((text, at) => (at > index && !fenced[at] ? [{ text, line: at + 1 }] : []));
  const second = body.find(({ text }) => isHead(text));
  if (second !== undefined)
    return fileFault(second.line, 'a file can contain only one lesson. Put this one into a separate file');
  const labels = body.flatMap(({ text }) => sectionLabel(text) ?? []);
  const values = {
    kind: kindBySections(kinds, labels),
    sourceInput: summary.slice(0, SUMMARY_LENGTH).toWellFormed(),
    ...withoutNulls({ agent: name.toLowerCase() === 'any agent' ? null : name, createdAt }),
  };
  const lineOf = (key: string) => (key in values ? line : undefined);
  return { ok: true, kind: values.kind, values, lineOf, bodyLine: line + 1, fenced };
}

/** Returns the word and the text of a heading such as `# Reflection: …`. Null for any other line. Linear in the length of the line. */
function headOf(line: string): { word: string; rest: string } | null {
  const colon = line.indexOf(':');
  const word = line.slice(2, Math.max(2, colon)).trim();
  return line.startsWith('# ') && word !== '' ? { word, rest: line.slice(colon + 1).trimStart() } : null;
}

function kindsOf(word: string): LessonKind[] {
  const wanted = word.toLowerCase().replace(/^decision reflection$/, 'decision');
  const kinds = LESSON_KINDS.filter((kind) => HEADINGS[kind].toLowerCase() === wanted);
  // The protocol has no separate heading for decisions.
  return wanted === 'reflection' ? [...kinds, 'decision'] : kinds;
}

/** Returns the kind that matches these sections best: fewest unknown labels, then fewest missing sections. */
function kindBySections(kinds: readonly LessonKind[], labels: readonly string[]): LessonKind {
  const faults = (kind: LessonKind) => {
    const names = labels.map((label) => nameOf(kind, label));
    const unknown = names.filter((name) => name === null).length;
    const missing = LESSON_FIELDS[kind].filter(({ name, required }) => required && !names.includes(name)).length;
    return unknown * 100 + missing;
  };
  return kinds.reduce((best, kind) => (faults(kind) < faults(best) ? kind : best));
}

function isHead(line: string): boolean {
  const { word = '', rest = '' } = headOf(line) ?? {};
  const [, date = ''] = /^\[?(\S+?)\]?\s+[-–—]\s/.exec(rest) ?? [];
  return kindsOf(word).length > 0 && timeOf(date) !== undefined;
}

/** Removes the brackets around parts, which the protocol uses as placeholders and some writers keep. */
function unbracketed(part: string): string {
  const text = part.trim();
  return (/^\[([^[\]]*)\]$/.exec(text)?.[1] ?? text).trim();
}

/** Returns a date as a timestamp, or undefined if it is not a valid calendar day. */
function timeOf(date: string): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00.000Z`) : null;
  if (time === null || Number.isNaN(time.getTime())) return undefined;
  const iso = time.toISOString();
  return iso.startsWith(date) ? iso : undefined;
}

function labelsOf(kind: LessonKind): string {
  return hasForm(kind) ? LESSON_FIELDS[kind].map(({ label }) => label).join(', ') : TEXT_SECTION;
}

/**
 * Returns the field name for a section label in the wording of the app or the protocol. Returns `text` for kinds without fields, and null
 * if the kind has no such section.
 */
function nameOf(kind: LessonKind, label: string): string | null {
  const wanted = plainLabel(label);
  if (!hasForm(kind)) return wanted === plainLabel(TEXT_SECTION) ? 'text' : null;
  const wordings = (name: string, label: string) => [label, PROTOCOL_SECTIONS[kind]?.[name] ?? label].map(plainLabel);
  return LESSON_FIELDS[kind].find(({ name, label }) => wordings(name, label).includes(wanted))?.name ?? null;
}

function plainLabel(label: string): string {
  return label.replace(/(?<![\s?:])\s*[?:]+$/, '').toLowerCase();
}

/** Returns the label of a second-level heading, or null for any other line. */
function sectionLabel(line: string): string | null {
  return /^## +(.*)$/.exec(line)?.[1]?.trim() ?? null;
}

/** Returns one boolean per line: true in a fenced code block, including its fences. An unclosed fence starts no block. */
function fencedLines(lines: readonly string[]): boolean[] {
  const fenced = lines.map(() => false);
  let open: { index: number; fence: string } | null = null;
  for (const [index, line] of lines.entries()) {
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) continue;
    if (open === null) open = { index, fence };
    else if (fence.startsWith(open.fence) && line.trim() === fence) {
      fenced.fill(true, open.index, index + 1);
      open = null;
    }
  }
  return fenced;
}

/** Section with the text of a lesson without fields. */
const TEXT_SECTION = 'Lesson';

/** Section labels of the Reflexion protocol, by kind and field. Other sections use the labels of the app. */
const PROTOCOL_SECTIONS: Partial<Record<LessonKind, Readonly<Record<string, string>>>> = {
  failure: {
    whatHappened: 'What happened?',
    whatWentWrong: 'What went wrong?',
    why: 'Why did it go wrong?',
    whatToDoDifferently: 'What should I do differently?',
    tacticalRule: 'Tactical rule candidate',
  },
  partial: {
    whatHappened: 'What happened?',
    whatWentWrong: 'What went wrong?',
    whatToDoDifferently: 'What should I do differently?',
  },
  decision: {
    what: 'What was the decision?',
    alternatives: 'What alternatives existed?',
    why: 'Why was this option chosen?',
  },
};

/**
 * Formats a lesson as a Markdown file: a front matter with its metadata, a heading, and a section for each field (see `LESSON_FIELDS`),
 * worded as in the Reflexion protocol. `readLessonMarkdown` restores the same lesson.
 */
export function writeLessonMarkdown(lesson: ExchangedLesson): string {
  const { kind, agent, createdAt, fields, text } = lesson;
  const frontMatter = writeFrontMatter(KEYS.map((key) => [key, lesson[key]]));
  const title = [
    createdAt?.slice(0, 10) ?? 'undated',
    inLine(agent ?? 'any agent'),
    shortTitle(lesson).replaceAll('-', ' '),
  ];
  const sections = hasForm(kind)
    ? LESSON_FIELDS[kind].flatMap(({ name, label }) =>
        fields[name] === undefined ? [] : [section(PROTOCOL_SECTIONS[kind]?.[name] ?? label, fields[name])],
      )
    : [section(TEXT_SECTION, text)];
  return `${frontMatter}\n# ${HEADINGS[kind]}: ${title.join(' - ')}\n${sections.join('')}`;
}

/** First word of the heading in each kind's file. */
const HEADINGS: Record<LessonKind, string> = {
  lesson: 'Lesson',
  failure: 'Reflection',
  partial: 'Reflection',
  success: 'Procedure',
  decision: 'Decision',
  skill_card: 'Skill',
  failure_pattern: 'Failure pattern',
  tool_policy: 'Tool policy',
  episodic_case: 'Case',
  user_preference: 'Preference',
  principle: 'Principle',
  procedure: 'Procedure',
};

/** Escapes lines that would begin a section with a backslash. Lines that are already escaped get one more. */
function section(label: string, text: string): string {
  return `\n## ${label}\n\n${text.replaceAll(/(?<=^|\n)\\*## /g, '\\$&')}\n`;
}

function inLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}
