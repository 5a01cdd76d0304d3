import { z } from 'zod';
import { structuredReply, withoutThinking } from '#lib/core/responses.ts';
import { readScore, scoresIn } from './read-score.ts';

type JudgeScore = { score: number; reason: string; issues: string[]; suggestions: string[] };

/** A parsed judge response: the readable scores by criterion, remarks without a criterion, and the problems of the response. */
export type JudgeReading = {
  scores: Map<string, JudgeScore>;
  issues: string[];
  suggestions: string[];
  confidence: number | null;
  /** Ids of the open issues that are reported as still open. Null if the response does not mention them. */
  stillOpen: string[] | null;
  wrong: string[];
};

const remark = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);
/** A list of texts or of objects with a text. Anything else counts as empty. */
const remarks = z.array(remark).catch([]);
const tolerantReply = z.object({
  criteria: z.array(
    z.object({
      name: z.string(),
      score: z.unknown(),
      reason: z.string().catch(''),
      issues: remarks.default([]),
      suggestions: remarks.default([]),
    }),
  ),
  confidence: z.number().min(0).max(1).nullable().catch(null),
  stillOpen: z
    .array(z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]))
    .nullish()
    .catch(null),
});

/** Returns true if a response is the requested JSON, even if its content is unusable. */
export function isStructuredReply(text: string): boolean {
  return structuredReply(text, tolerantReply).ok;
}

/** Parses a structured response. Names may differ in case, spaces and underscores. Text scores such as "8/10" are accepted. */
export function readStructuredReply(text: string, names: string[]): JudgeReading {
  const read = structuredReply(text, tolerantReply);
  const reading: JudgeReading = {
    scores: new Map(),
    issues: [],
    suggestions: [],
    confidence: null,
    stillOpen: null,
    wrong: [],
  };
  if (!read.ok) return { ...reading, wrong: [`it could not be read as the JSON asked for: ${read.reason}`] };
  reading.confidence = read.value.confidence;
  reading.stillOpen = read.value.stillOpen?.flatMap(issueIdsIn) ?? null;
  for (const name of names) {
    const entries = read.value.criteria.filter((entry) => plainName(entry.name) === plainName(name));
    const [entry] = entries;
    if (entry === undefined) reading.wrong.push(`"${name}" is missing`);
    else if (entries.length > 1) reading.wrong.push(`"${name}" is scored more than once`);
    else {
      const score = scoreIn(entry.score);
      if (score === null) {
        const given = (JSON.stringify(entry.score) ?? 'nothing').slice(0, 60);
        reading.wrong.push(`the score of "${name}" is ${given}, not a number from 0 to 1`);
      } else {
        const { reason, issues, suggestions } = entry;
        reading.scores.set(name, { score, reason, issues: trimTexts(issues), suggestions: trimTexts(suggestions) });
      }
    }
  }
  return reading;
}

/** Parses a plain-text response: a `name: score - reason` line for each criterion, then lists under "Issues:" and "Suggestions:". */
export function readPlainReply(text: string, names: string[]): JudgeReading {
  const answer = withoutThinking(text);
  const [only] = names;
  const reading: JudgeReading = {
    scores: new Map(),
    issues: listUnder(answer, /^(?:issues?|problems?)$/i),
    suggestions: listUnder(answer, /^suggestions?$/i),
    confidence: null,
    stillOpen: stillOpenIn(answer),
    wrong: [],
  };
  for (const name of names) {
    const alone = names.length === 1 && name === only;
    const score = readScore(answer, name) ?? (alone ? readScore(answer) : null);
    if (score === null) reading.wrong.push(`there is no line "${name}: score" with a number from 0 to 1`);
    else reading.scores.set(name, { score, reason: reasonOf(answer, name), issues: [], suggestions: [] });
  }
  return reading;
}

function scoreIn(value: unknown): number | null {
  if (typeof value === 'string') return readScore(value);
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null;
}

function trimTexts(texts: string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

/** Normalizes a criterion's name for comparison. Case, underscores and hyphens are ignored. */
function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
}

/** Returns the text after the score on a criterion's line, or the first line of prose if there is none. */
function reasonOf(answer: string, name: string): string {
  const lines = answer.split(/\r\n|\n|\r/, 200).map((line) => line.slice(0, 2_000));
  const own = lines.find((line) => plainName(withoutMarks(line)).startsWith(plainName(withoutMarks(name))));
  const behindName = (own ?? '').slice(name.length);
  const behindScore = behindName
    .slice(Math.max(0, behindName.search(/\d/)))
    .replace(/^[\d.,]+ ?(?:%|\/ ?\d+|out of \d+)?/, '')
    .replace(/^[^\p{L}"“]+/u, '');
  const prose = lines.find(
    (line) => line !== own && line.split(/\s+/).filter((word) => /\p{L}{3}/u.test(word)).length >= 2,
  );
  return (own !== undefined && /\p{L}/u.test(behindScore) ? behindScore : (prose ?? '')).replace(/\*\*|__/g, '').trim();
}

function withoutMarks(line: string): string {
  return line.replace(/[*_`#>|-]/g, ' ');
}

const MAX_IDS_LINE_LENGTH = 400;

function issueIdsIn(text: string): string[] {
  return (
    text
      .slice(0, MAX_IDS_LINE_LENGTH)
      .toLowerCase()
      .match(/\bi\d{1,7}\b/g) ?? []
  );
}

/** Returns the ids on a line `Still open: i1, i3`, or in the list below it. Null if there is no such line. */
function stillOpenIn(answer: string): string[] | null {
  const lines = answer.split(/\r\n|\n|\r/).map((line) =>
    line
      .slice(0, MAX_IDS_LINE_LENGTH)
      .replace(/[*_#>`]/g, '')
      .trim(),
  );
  const at = lines.findIndex((line) => /^(?:[-•]\s*)?still[\s-]?open\b/i.test(line));
  if (at < 0) return null;
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^(?:[-•]\s*|\d{1,3}[.)]\s*)?\[?i\d{1,7}\b/.test(line));
  return [lines[at] ?? '', ...below.slice(0, end < 0 ? undefined : end)].flatMap(issueIdsIn);
}

function listUnder(answer: string, heading: RegExp): string[] {
  const found: string[] = [];
  let inside = false;
  for (const line of answer.split(/\r\n|\n|\r/)) {
    const item = /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1];
    if (item !== undefined) {
      if (inside) found.push(item.replace(/\*\*|__/g, ''));
    } else if (line.trim() !== '') inside = heading.test(line.replace(/[*_#:>]/g, '').trim());
  }
  return trimTexts(found);
}

/**
 * Parses scores from a response that is not the requested JSON: `score: 0.9` (the evaluator format published with Reflexion), `"score":
 * 0.9`, `Score = 9/10`, `Clarity: 85%`.
 * Returns null unless every criterion has exactly one score. With several criteria, each must be named. Contradictory scores of a criterion
 * and scores of an object that names another criterion do not count.
 */
export function readScoreText(text: string, names: string[]): JudgeReading | null {
  const answer = oneEntryALine(withoutThinking(text));
  if (namesIn(answer).some((named) => !names.some((name) => plainName(name) === plainName(named)))) return null;
  const scores = names.map((name) => {
    const found = [...scoresIn(answer, name), ...(names.length === 1 ? scoresIn(answer) : [])];
    const [first] = found;
    return first !== undefined && found.every((score) => score === first) ? first : null;
  });
  if (scores.includes(null)) return null;
  const remarks = remarksIn(text);
  const plain = readPlainReply(text, names);
  return {
    ...plain,
    scores: new Map(
      names.map((name, at) => [
        name,
        {
          score: scores[at] ?? 0,
          reason: remarks?.reason ?? plain.scores.get(name)?.reason ?? '',
          issues: [],
          suggestions: [],
        },
      ]),
    ),
    issues: remarks?.issues ?? plain.issues,
    suggestions: remarks?.suggestions ?? plain.suggestions,
    confidence: remarks?.confidence ?? null,
    wrong: [],
  };
}

/** Puts each entry of a JSON object on its own line, so that scores can be matched per line. */
function oneEntryALine(text: string): string {
  return text.replace(/[{}[\]]/g, '\n').replace(/,(?=\s*")/g, '\n');
}

/** Returns the criterion names in entries of JSON objects. */
function namesIn(lines: string): string[] {
  return [...lines.matchAll(/^\s{0,20}"(?:name|criterion)"\s{0,20}:\s{0,20}"([^"\n]{0,200})"/gm)].map(
    ([, name = '']) => name,
  );
}

const looseReply = z.object({
  reason: z.string().optional().catch(undefined),
  issues: remarks.optional(),
  suggestions: remarks.optional(),
  confidence: z.number().min(0).max(1).nullable().optional().catch(null),
});

/** Returns the remarks of a response that is JSON in another shape, or null. */
function remarksIn(text: string): z.output<typeof looseReply> | null {
  const read = structuredReply(text, looseReply);
  return read.ok ? read.value : null;
}
