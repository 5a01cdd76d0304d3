import { z } from 'zod';
import { structuredReply } from '#lib/core/structured-reply.ts';
import { withoutThinking } from '#lib/core/without-thinking.ts';
import type { Reading } from './ask-twice.ts';

export type Winner = 'first' | 'second' | 'neither';

/** Which of two texts a judge found better, null where that could not be read; and what it says is wrong with each. */
export type ComparisonReading = Reading & {
  winner: Winner | null;
  reason: string;
  issues: { first: string[]; second: string[] };
  confidence: number | null;
};

const remarks = z.array(z.string()).catch([]);
const tolerantReply = z.object({
  winner: z.string(),
  reason: z.string().catch(''),
  issuesOfFirst: remarks.default([]),
  issuesOfSecond: remarks.default([]),
  confidence: z.number().min(0).max(1).nullable().catch(null),
});

const UNREAD: Omit<ComparisonReading, 'wrong'> = {
  winner: null,
  reason: '',
  issues: { first: [], second: [] },
  confidence: null,
};

/** Reads a structured reply. */
export function readStructuredComparison(text: string): ComparisonReading {
  const read = structuredReply(text, tolerantReply);
  if (!read.ok) return { ...UNREAD, wrong: [`it could not be read as the JSON asked for: ${read.reason}`] };
  const { reason, confidence, issuesOfFirst, issuesOfSecond } = read.value;
  const winner = winnerIn(read.value.winner);
  const issues = { first: told(issuesOfFirst), second: told(issuesOfSecond) };
  const said = JSON.stringify(read.value.winner).slice(0, 60);
  const wrong = winner === null ? [`"winner" is ${said}, not "first", "second" or "neither"`] : [];
  return { winner, reason: reason.trim(), issues, confidence, wrong };
}

const LONGEST_LINE = 2_000;
const WINNER_LINE = /^[\s>*_#-]{0,20}(?:the\s+)?winner\b[\s*_:=-]{1,20}(.{0,60})/i;

/** Reads a plain-text reply: its line `winner: …`, and the rest as the reason. Lines that disagree are none. */
export function readPlainComparison(text: string): ComparisonReading {
  const lines = withoutThinking(text)
    .split(/\r\n|\n|\r/)
    .map((line) => line.slice(0, LONGEST_LINE));
  const named = lines.flatMap((line) => {
    const behind = WINNER_LINE.exec(line)?.[1];
    return behind === undefined ? [] : [winnerIn(behind)];
  });
  const [first = null] = named;
  const winner = named.every((one) => one === first) ? first : null;
  if (winner === null)
    return { ...UNREAD, wrong: ['there is no line "winner: first", "winner: second" or "winner: neither"'] };
  const reason = lines.filter((line) => line.trim() !== '' && !WINNER_LINE.test(line)).join(' ');
  return { ...UNREAD, winner, reason: reason.trim(), wrong: [] };
}

function winnerIn(said: string): Winner | null {
  const word = /^[\s"'*_]*(?:is\s+)?(?:the\s+)?(first|second|neither|tie|draw|equal|both)\b/i
    .exec(said)?.[1]
    ?.toLowerCase();
  if (word === undefined) return null;
  return word === 'first' || word === 'second' ? word : 'neither';
}

function told(texts: string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
