import { LESSON_FIELDS, LESSON_KINDS, type LessonKind } from '#lib/core/lesson-schema.ts';
import { fencedLines, nameOf, sectionLabel } from './section-names.ts';
import { HEADINGS } from './write-lesson-markdown.ts';

/** What the heading of a file without front matter says, or what is wrong with it on which line. Lines count from 1. */
export type ProtocolHead =
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

const FORM = '"# Reflection: 2026-03-01 - agent-name - task summary"';

/** Characters of the task summary that are kept. */
const SUMMARY_LENGTH = 2_000;

/** Whether a file has no front matter: its first line with text is not three dashes. */
export function isProtocolFile(lines: readonly string[]): boolean {
  return lines[0]?.trimEnd() !== '---';
}

/**
 * Reads the head of a reflection protocol file, `# Reflection: [date] - [agent-name] - [task summary]` or `# Procedure: …`, also
 * `# Decision: …` and the headings of the export. The kind follows from the heading and the sections below it: three sections of a
 * reflection are a partial task's, five a failed one's, and those of a decision a decision's. Source: the reflection protocol, 3.
 */
export function readProtocolHead(lines: readonly string[]): ProtocolHead {
  const place = lines.findIndex((line) => line.trim() !== '');
  const line = place + 1;
  const refuse = (at: number, message: string): ProtocolHead => ({ ok: false, line: at, message });
  if (place < 0) return refuse(1, `the file is empty: begin with a front matter or a heading such as ${FORM}`);
  const [, word, rest] = /^# +([^:]+?)\s*:\s*(.*)$/.exec(lines[place] ?? '') ?? [];
  if (word === undefined || rest === undefined)
    return refuse(line, `must begin with a front matter (a line of three dashes) or a heading such as ${FORM}`);
  const kinds = kindsOf(word);
  if (kinds.length === 0)
    return refuse(
      line,
      `"${word}" is no heading of a lesson: they are ${[...new Set(Object.values(HEADINGS))].join(', ')}`,
    );
  const parts = rest.split(/\s+[-–—]\s+/);
  const [date = '', agent = ''] = parts.map(unbracketed);
  const summary = unbracketed(parts.slice(2).join(' - '));
  if (parts.length < 3 || date === '' || agent === '' || summary === '')
    return refuse(line, `the heading must be written as ${FORM}, got "${rest.slice(0, 80)}"`);
  const createdAt = date.toLowerCase() === 'undated' ? null : timeOf(date);
  if (createdAt === undefined) return refuse(line, `the date must be such as 2026-03-01, got "${date.slice(0, 40)}"`);
  const body = lines.slice(line);
  const fenced = fencedLines(body);
  const second = body.findIndex((text, at) => !fenced[at] && isHead(text));
  if (second >= 0) return refuse(line + second + 1, 'a file holds one lesson: put this one into a file of its own');
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

function kindsOf(word: string): LessonKind[] {
  const wanted = word.toLowerCase().replace(/^decision reflection$/, 'decision');
  const kinds = LESSON_KINDS.filter((kind) => HEADINGS[kind].toLowerCase() === wanted);
  // The protocol gives a decision no heading of its own.
  return wanted === 'reflection' ? [...kinds, 'decision'] : kinds;
}

/** Of the kinds the one whose sections these are: with the fewest unknown labels, then with the fewest missing sections. */
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
  const [, word, date] = /^# +([^:]+?)\s*:\s*\[?(\S+?)\]?\s+[-–—]\s/.exec(line) ?? [];
  return word !== undefined && date !== undefined && kindsOf(word).length > 0 && timeOf(date) !== undefined;
}

/** The protocol shows its parts in brackets, which some writers keep. */
function unbracketed(part: string): string {
  const text = part.trim();
  return (/^\[([^[\]]*)\]$/.exec(text)?.[1] ?? text).trim();
}

/** Undefined for what is no day of the calendar. */
function timeOf(date: string): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(date) ? new Date(`${date}T00:00:00.000Z`) : null;
  if (time === null || Number.isNaN(time.getTime())) return undefined;
  const iso = time.toISOString();
  return iso.startsWith(date) ? iso : undefined;
}
