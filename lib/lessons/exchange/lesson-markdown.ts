import { LESSON_FIELDS, LESSON_KINDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import {
  type ExchangedLesson,
  exchangedLessonSchema,
  hasForm,
  readLessonPath,
  shortTitle,
} from './exchanged-lesson.ts';
import { type FrontMatterEntry, readFrontMatter, writeFrontMatter } from './front-matter.ts';

/**
 * Parses a lesson from its Markdown file, with a front matter, or in the form of the reflection protocol (`readProtocolHead`). A missing
 * agent or day is taken from the path. Other files are rejected with their path and the faulty line.
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

/** The part of a file above its sections. `lineOf`: the line of an entry. `fenced`: lines in code blocks, in which no section begins. */
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
  const values = { kind, sourceInput, ...withoutNulls({ agent, createdAt }) };
  return {
    ...{ ok: true, kind, values, bodyLine, fenced: fencedLines(lines) },
    lineOf: (key) => (key in values ? headLine : undefined),
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
  const kindEntry = entries.find(({ key }) => key === 'kind');
  const kind = LESSON_KINDS.find((name) => name === kindEntry?.value);
  if (kind === undefined) return refuse(kindEntry?.line ?? 1, `kind must be one of ${LESSON_KINDS.join(', ')}`);
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

type Section = { text: string; line: number };
type Sections = { ok: true; sections: Map<string, Section> } | { ok: false; line: number; message: string };

/** Returns the sections by field name, or as `text` for a kind without fields. A heading before the first section is ignored. */
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
          message: `"${label}" is not a section of the kind ${kind} (sections: ${labelsOf(kind).join(', ')})`,
        };
      close();
      if (sections.has(name)) return { ok: false, line: number, message: `the section "${label}" appears twice` };
      open = { name, line: number, lines: [] };
    } else if (open !== null) open.lines.push(line.replace(/^\\(\\*## )/, '$1'));
    else if (line.trim() !== '' && !/^# /.test(line)) {
      if (hasForm(kind))
        return { ok: false, line: number, message: `text must be in a section: ${labelsOf(kind).join(', ')}` };
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

/** The parsed heading of a file without front matter, or the error and its line, from 1. */
type ProtocolHead =
  | {
      ok: true;
      kind: LessonKind;
      agent: string | null;
      createdAt: string | null;
      sourceInput: string;
      headLine: number;
      bodyLine: number;
    }
  | { ok: false; line: number; message: string };

const PROTOCOL_FORM = '"# Reflection: 2026-03-01 - agent-name - task summary"';

/** Maximum stored length of the task summary, in characters. */
const SUMMARY_LENGTH = 2_000;

/** Returns true if a file has no front matter: its first line with text is not three dashes. */
function isProtocolFile(lines: readonly string[]): boolean {
  return lines[0]?.trimEnd() !== '---';
}

/**
 * Parses the head of a reflection protocol file, `# Reflection: [date] - [agent-name] - [task summary]` or `# Procedure: …`. Also accepts
 * `# Decision: …` and the headings of the export. The kind follows from the heading and the sections below it. A reflection with three
 * sections is for a partial task, with five for a failed one. Sections of a decision make it a decision. Source: the reflection protocol,
 * 3.
 */
function readProtocolHead(lines: readonly string[]): ProtocolHead {
  const index = lines.findIndex((line) => line.trim() !== '');
  const line = index + 1;
  const refuse = (at: number, message: string): ProtocolHead => ({ ok: false, line: at, message });
  if (index < 0) return refuse(1, `the file is empty: begin with a front matter or a heading such as ${PROTOCOL_FORM}`);
  const head = headOf(lines[index] ?? '');
  if (head === null)
    return refuse(
      line,
      `must begin with a front matter (a line of three dashes) or a heading such as ${PROTOCOL_FORM}`,
    );
  const { word, rest } = head;
  const kinds = kindsOf(word);
  if (kinds.length === 0)
    return refuse(
      line,
      `"${word}" is no heading of a lesson: they are ${[...new Set(Object.values(HEADINGS))].join(', ')}`,
    );
  const parts = rest.split(/(?<!\s)\s+[-–—]\s+/);
  const [date = '', agent = ''] = parts.map(unbracketed);
  const summary = unbracketed(parts.slice(2).join(' - '));
  if (parts.length < 3 || date === '' || agent === '' || summary === '')
    return refuse(line, `the heading must be written as ${PROTOCOL_FORM}, got "${rest.slice(0, 80)}"`);
  const createdAt = date.toLowerCase() === 'undated' ? null : timeOf(date);
  if (createdAt === undefined) return refuse(line, `the date must be such as 2026-03-01, got "${date.slice(0, 40)}"`);
  const body = lines.slice(line);
  const fenced = fencedLines(body);
  const second = body.findIndex((text, at) => !fenced[at] && isHead(text));
  if (second >= 0)
    return refuse(line + second + 1, 'a file can contain only one lesson. Put this one into a separate file');
  const labels = body.flatMap((text, at) => (fenced[at] ? [] : (sectionLabel(text) ?? [])));
  return {
    ok: true,
    kind: kindBySections(kinds, labels),
    agent: agent.toLowerCase() === 'any agent' ? null : agent,
    createdAt,
    sourceInput: summary.slice(0, SUMMARY_LENGTH).toWellFormed(),
    headLine: line,
    bodyLine: line + 1,
  };
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

function labelsOf(kind: LessonKind): string[] {
  return hasForm(kind) ? LESSON_FIELDS[kind].map(({ label }) => label) : [TEXT_SECTION];
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
  const { kind, status, agent, taskType, tools, block, sourceInput, sourceScore, createdBy, createdAt, fields, text } =
    lesson;
  const frontMatter = writeFrontMatter([
    ['kind', kind],
    ['status', status],
    ['agent', agent],
    ['taskType', taskType],
    ['tools', tools],
    ['block', block],
    ['sourceInput', sourceInput],
    ['sourceScore', sourceScore],
    ['createdBy', createdBy],
    ['createdAt', createdAt],
  ]);
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
