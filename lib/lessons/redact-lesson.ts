import { parseJson } from '#lib/core/json-values.ts';
import type { LessonFields, LessonScope, RedactionCount } from '#lib/core/lesson-library.ts';
import {
  LESSON_FIELDS,
  LESSON_LENGTH,
  type LessonKind,
  lessonText,
  SOURCE_INPUT_LENGTH,
} from '#lib/core/lesson-schema.ts';
import { type Finder, type Found, REDACTED_KINDS, type RedactedKind } from '#lib/lessons/redaction/find-by-pattern.ts';
import { SECRET_FINDERS } from '#lib/lessons/redaction/secrets.ts';
import { plainView } from './normalize-text.ts';
import { ADDRESS_FINDERS, HOST_FINDERS } from './redaction/hosts.ts';
import { NATIONAL_ID_FINDERS, PAYMENT_FINDERS, PERSONAL_FINDERS } from './redaction/personal-data.ts';

/** A redacted text, and the number of redactions by kind. */
type Redacted = { text: string; findings: { kind: string; count: number }[] };

/** Finders for host names and network addresses. */
const NETWORK_FINDERS: readonly Finder[] = [...HOST_FINDERS, ...ADDRESS_FINDERS];

/** Order matters: earlier finders take precedence for matches at the same position. */
const PERSONAL_AND_SECRET_FINDERS: readonly Finder[] = [
  ...SECRET_FINDERS,
  ...PERSONAL_FINDERS,
  ...PAYMENT_FINDERS,
  ...NATIONAL_ID_FINDERS,
];

/**
 * Redacts a text: secrets (secretlint's recommended rules and Hone's own), e-mail addresses, phone numbers, cards, IBANs, national ids,
 * names of internal hosts and their addresses. Each is replaced by its kind in brackets: `[redacted: e-mail]`. Text without matches,
 * including already redacted text, is returned unchanged. Names of people are kept.
 */
export async function redactLesson(text: string): Promise<Redacted> {
  return redactWith([...PERSONAL_AND_SECRET_FINDERS, ...NETWORK_FINDERS], text);
}

/**
 * Redacts an error message for a person who has to act on it. Keeps host names and addresses, because "the server at … did not respond" is
 * useless without the address.
 */
export async function redactErrorMessage(text: string): Promise<string> {
  return (await redactWith(PERSONAL_AND_SECRET_FINDERS, text)).text;
}

async function redactWith(finders: readonly Finder[], text: string): Promise<Redacted> {
  const counts = new Map<RedactedKind, number>();
  const redacted = await redactBetweenMarks(text, { finders, round: 0, counts });
  return { text: redacted, findings: Array.from(counts, ([kind, count]) => ({ kind, count })) };
}

const MARK = new RegExp(`(\\[redacted: (?:${REDACTED_KINDS.join('|')})\\])`);

/** Maximum number of rounds. A part that still contains a match is then removed completely, so that no text can cause an endless search. */
const MAX_ROUNDS = 8;

type Redacting = { finders: readonly Finder[]; round: number; counts: Map<RedactedKind, number> };

async function redactBetweenMarks(text: string, redacting: Redacting): Promise<string> {
  const parts = await Promise.all(
    // The pattern has a group, so `split` also returns the marks as every second part.
    text.split(MARK).map((part, at) => (at % 2 === 1 ? part : redactPart(part, redacting))),
  );
  return parts.join('');
}

async function redactPart(part: string, { finders, round, counts }: Redacting): Promise<string> {
  if (part.trim() === '') return part;
  const found = await findAll(finders, part);
  if (found.length === 0) return part;
  if (round >= MAX_ROUNDS) return marked('text', counts);
  let redacted = '';
  let at = 0;
  for (const { kind, start, end } of found) {
    redacted += part.slice(at, start) + marked(kind, counts);
    at = end;
  }
  // Text next to a mark may match differently after its neighbor is removed.
  return redactBetweenMarks(redacted + part.slice(at), { finders, round: round + 1, counts });
}

function marked(kind: RedactedKind, counts: Map<RedactedKind, number>): string {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return `[redacted: ${kind}]`;
}

/** Returns non-overlapping matches in order, with positions in the original text. */
async function findAll(finders: readonly Finder[], text: string): Promise<Found[]> {
  const view = plainView(text);
  const found = [...(await findSecrets(view.text)), ...finders.flatMap((find) => find(view.text))]
    .filter(({ start, end }) => start < end)
    .map(({ kind, start, end }) => ({ kind, ...wholeEscapes(text, view.from(start), view.to(end)) }))
    .sort((one, other) => one.start - other.start);
  const merged: Found[] = [];
  for (const next of found) {
    const last = merged.at(-1);
    if (last !== undefined && next.start < last.end) last.end = Math.max(last.end, next.end);
    else merged.push({ ...next });
  }
  return merged;
}

/** Loads the secret rules only when a text could contain a secret. Most processes never need them. */
async function findSecrets(text: string): Promise<Found[]> {
  if (!/\S{8}/.test(text)) return [];
  const { findListedSecrets } = await import('./redaction/secrets.ts');
  return findListedSecrets(text);
}

/** Extends a range to whole escape sequences, because a remaining half would make JSON invalid. */
function wholeEscapes(text: string, start: number, end: number): { start: number; end: number } {
  const before = isEscaped(text, start) ? start - 1 : start;
  const after = end < text.length && isEscaped(text, end) ? end + 1 : end;
  return { start: before, end: after };
}

/** Returns true if the number of backslashes before a position is odd. */
function isEscaped(text: string, position: number): boolean {
  let at = position;
  while (at > 0 && text[at - 1] === '\\') at--;
  return (position - at) % 2 === 1;
}

/** The free-text parts of a lesson. */
export type LessonParts = { kind: LessonKind; text: string; fields: LessonFields; sourceInput: string };

/**
 * Redacts a lesson, and returns the number of redactions by kind. Fields are redacted separately, and the text of a lesson with fields is
 * rebuilt from them. The result never exceeds the limits of a lesson.
 */
export async function redactParts(
  parts: LessonParts,
): Promise<{ text: string; fields: LessonFields; sourceInput: string; found: RedactionCount[] }> {
  const found: RedactionCount[] = [];
  const redacted = async (text: string, length: number) => {
    const { text: clean, findings } = await redactLesson(text);
    for (const finding of findings) add(found, finding);
    return clean.slice(0, length);
  };
  const fields: LessonFields = {};
  for (const [name, value] of Object.entries(parts.fields)) fields[name] = await redacted(value, LESSON_LENGTH);
  const text = isForm(parts) ? lessonText(parts.kind, fields) : await redacted(parts.text, LESSON_LENGTH);
  // Cut after redaction, because half a secret would not be detected.
  const sourceInput = await redacted(parts.sourceInput, SOURCE_INPUT_LENGTH);
  return { text, fields, sourceInput, found };
}

/** Redacts the names in a lesson's scope, because they appear in lists, filters and exports. */
export async function redactScope({ agent, taskType, tools }: LessonScope): Promise<LessonScope> {
  const redacted = async (name: string) => (await redactLesson(name)).text;
  return {
    agent: agent === null ? null : await redacted(agent),
    taskType: taskType === null ? null : await redacted(taskType),
    tools: await Promise.all(tools.map(redacted)),
  };
}

/** Returns true if the text is built from the fields. */
function isForm({ kind, fields }: LessonParts): boolean {
  return LESSON_FIELDS[kind].some(({ name }) => fields[name] !== undefined);
}

function add(found: RedactionCount[], { kind, count }: RedactionCount): void {
  const known = found.find((other) => other.kind === kind);
  if (known === undefined) found.push({ kind, count });
  else known.count += count;
}

/** Maximum number of input characters that are scanned. */
const MAX_SCANNED_INPUT_LENGTH = 20_000;

/**
 * Returns the beginning of a run's input to store with a lesson. It is redacted before it is cut, because half a secret would not be
 * detected.
 */
export async function redactedExcerpt(input: string): Promise<string> {
  const { text } = await redactLesson(input.slice(0, MAX_SCANNED_INPUT_LENGTH));
  return text.slice(0, SOURCE_INPUT_LENGTH).toWellFormed();
}

/** Redacts a model response. Strings with escapes in JSON are also redacted in unescaped form. JSON stays valid JSON. */
export async function redactResponse(text: string): Promise<string> {
  const { text: redacted } = await redactLesson(await redactEscaped(text));
  return isJson(text) && !isJson(redacted) ? redactStrings(text) : redacted;
}

/**
 * Redacts each string in a JSON text separately, so that no match extends beyond its end. A string after a key is scanned together with the
 * key.
 */
async function redactStrings(text: string): Promise<string> {
  const parts: string[] = [];
  let at = 0;
  let name: string | null = null;
  for (const { start, end } of literalsIn(text)) {
    const between = text.slice(at, start);
    const value = parse(text.slice(start, end)) ?? '';
    const alone = await redactLesson(value);
    const [named] = name === null || between.trim() !== ':' ? [] : (await redactLesson(`${name}: ${value}`)).findings;
    const isGivenAwayByName = alone.findings.length === 0 && named !== undefined;
    parts.push(between, JSON.stringify(isGivenAwayByName ? `[redacted: ${named.kind}]` : alone.text));
    name = value;
    at = end;
  }
  return parts.join('') + text.slice(at);
}

function isJson(text: string): boolean {
  return parse(text) !== null;
}

async function redactEscaped(text: string): Promise<string> {
  if (!text.includes('\\')) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of literalsIn(text)) {
    const literal = text.slice(start, end);
    if (!literal.includes('\\')) continue;
    parts.push(text.slice(at, start), await redactLiteral(literal));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

async function redactLiteral(literal: string): Promise<string> {
  const value = parse(literal);
  if (value === null) return literal;
  const { text, findings } = await redactLesson(value);
  return findings.length === 0 ? literal : JSON.stringify(text);
}

/** Yields each range from a quote to the next unescaped quote. */
function* literalsIn(text: string): Generator<{ start: number; end: number }> {
  let start = text.indexOf('"');
  while (start !== -1) {
    let end = start + 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    if (end >= text.length) return;
    yield { start, end: end + 1 };
    start = text.indexOf('"', end + 1);
  }
}

/** Returns the parsed string, or null if the quotes do not enclose a JSON string. */
function parse(literal: string): string | null {
  const value = parseJson(literal);
  return value === undefined ? null : String(value);
}
