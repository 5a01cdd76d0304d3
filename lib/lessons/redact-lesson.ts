import { type Finder, type Found, REDACTED_KINDS, type RedactedKind } from '#lib/lessons/redaction/finder.ts';
import { SECRET_FINDERS } from '#lib/lessons/redaction/secrets.ts';
import { plainView } from './plain-view.ts';
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
 * Redacts an error message for a person who has to act on it. Keeps host names and addresses, because "the server at … did not answer" is
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
  const apart: Found[] = [];
  for (const next of found) {
    const last = apart.at(-1);
    if (last !== undefined && next.start < last.end) last.end = Math.max(last.end, next.end);
    else apart.push({ ...next });
  }
  return apart;
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
