import { z } from 'zod';
import { structuredResponse, withoutThinking } from '#lib/core/responses.ts';

/**
 * Returns the score in a plain-text response, from 0 to 1, or null. Accepts lines that begin with a label (`score: 0.85`, `**Clarity**: 7
 * out of 10`, `Final score = 85 %`, `score: 0,85`) and lines that contain only a score (`0.85`, `8/10`, `85%`).
 * Other numbers in prose are ignored. Returns null for a number out of range, or for two different scores of equal rank. With a `label`,
 * only lines that begin with it are read.
 */
export function readScore(text: string, label: string | null = null): number | null {
  return findAgreedScore(scoresIn(text, label));
}

/**
 * Returns all scores that `readScore` considers, from 0 to 1, in line order. Null marks an unusable one (out of range, or a range). Empty
 * if there are none.
 */
function scoresIn(text: string, label: string | null = null): (number | null)[] {
  const lines = responseLines(text, MAX_LINE_LENGTH)
    .map(withoutMarkup)
    .filter((line) => line !== '');
  const pattern = labelPattern(label ?? 'score');
  const labelled = lines.flatMap((line) => labelledValue(line, pattern) ?? []);
  if (labelled.length > 0) {
    const final = labelled.filter((found) => found.final);
    return (final.length > 0 ? final : labelled).map((found) => scoreOf(found.value, found.scale));
  }
  if (label !== null) return [];
  const [first] = lines;
  if (lines.length === 1 && first !== undefined && /^[01][.!]?$/.test(first)) return [Number(first.charAt(0))];
  return lines.filter((line) => LOOKS_LIKE_A_SCORE.test(line)).map((line) => scoreOf(line, null));
}

/** Returns the lines of a response, each cut to `most` characters, which protects patterns from malicious lines. */
export function responseLines(text: string, most: number): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.slice(0, most));
}

/** Maximum characters matched per line. Scores occur at the beginning. */
const MAX_LINE_LENGTH = 400;
const NUMBER = String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`;
const VALUE = new RegExp(
  String.raw`^(?:~|≈|about |approximately )?\s*(?<number>[+-]?${NUMBER})\s*(?:(?<percent>%|percent\b)|(?:/|out of|of)\s*(?<scale>${NUMBER})(?<percentScale>\s*%)?)?(?<rest>.*)$`,
  'i',
);
/** Text allowed after a score on its line: nothing, or a separate remark. Excludes other parts of a number, range or date. */
const REMARK =
  /^(?:$|[.!;](?:\s|$)|,\s|\s*[([|]|\s*[–—-](?!\s*(?:[01]?[.,]\d|\d+\s*(?:$|[%/(,.])))|\s+(?![-–—/%]|to\b|\d|points?\b|stars?\b|of\b|out\b)\S)/i;
/** An unlabeled line of a longer text counts as a score only if it can't be a list number or a year. */
const LOOKS_LIKE_A_SCORE = new RegExp(
  String.raw`^${NUMBER}\s*(?:%|/\s*${NUMBER}|out of ${NUMBER})[.!]?$|^(?:0[.,]\d+|1[.,]0+|[.,]\d+)[.!]?$`,
  'i',
);

/** Returns a pattern for lines that begin with a label. `value` is the text after it. */
function labelPattern(label: string): RegExp {
  const name = label
    .trim()
    .split(/[\s_-]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('[\\s_-]+');
  const named = /^score$/i.test(label.trim()) ? '(?:score|rating)' : `${name}(?:\\s+(?:score|rating))?`;
  return new RegExp(
    String.raw`^["']?(?:(?:my|the|your|quality|total|(?<final>final|overall))\s+){0,3}${named}["']?` +
      String.raw`(?:\s*\((?:0|1)?\s*(?:-|–|to|out of)?\s*(?<scale>1|5|10|100)(?:\.0)?\s*%?\))?` +
      String.raw`(?:\s*(?:[:=|]|→|->|=>)\s*|\s+(?:is|of|[–—-])\s+)(?<value>\S.*)$`,
    'iu',
  );
}

function labelledValue(line: string, pattern: RegExp): { value: string; scale: number | null; final: boolean } | null {
  const groups = pattern.exec(line)?.groups;
  if (groups?.value === undefined) return null;
  const value = groups.value.replace(/^[:=|]\s*/, '').replace(/[\s|,"']+$/, '');
  return { value, scale: groups.scale === undefined ? null : Number(groups.scale), final: groups.final !== undefined };
}

/** Parses `0.85`, `8/10`, `85%` … into a number from 0 to 1. Null for anything else. */
function scoreOf(value: string, scale: number | null): number | null {
  const groups = VALUE.exec(value.trim())?.groups;
  if (groups?.number === undefined || !REMARK.test(groups.rest ?? '')) return null;
  const number = decimal(groups.number);
  const ownScale = groups.scale === undefined ? null : decimal(groups.scale);
  const divisor = groups.percent ? 100 : (ownScale ?? scale ?? 1);
  if (!(divisor > 0)) return null;
  const score = number / divisor;
  return score >= 0 && score <= 1 ? score : null;
}

function decimal(text: string): number {
  return Number(text.replace(',', '.'));
}

/** Returns the score if all are equal. Null if there are none or they differ. */
function findAgreedScore(scores: (number | null)[]): number | null {
  const [first] = scores;
  return first !== undefined && scores.every((score) => score === first) ? first : null;
}

/** Removes Markdown list markers, headings, quotes, emphasis and table bars from the ends of a line. */
function withoutMarkup(line: string): string {
  return line
    .replace(/^[\s>|]*(?:#{1,6}\s+|[-*+•]\s+|\d+[.)]\s+(?=\D))?/, '')
    .replace(/\*\*|__|`|(?<![\p{L}\d])[*_]|[*_](?![\p{L}\d])/gu, '')
    .replace(/[\s|]+$/, '')
    .trim();
}

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
const tolerantResponse = z.object({
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
export function isStructuredResponse(text: string): boolean {
  return structuredResponse(text, tolerantResponse).ok;
}

/** Parses a structured response. Names may differ in case, spaces and underscores. Text scores such as "8/10" are accepted. */
export function readStructuredResponse(text: string, names: string[]): JudgeReading {
  const read = structuredResponse(text, tolerantResponse);
  const { confidence = null, stillOpen = null } = read.ok ? read.value : {};
  const reading: JudgeReading = {
    scores: new Map(),
    issues: [],
    suggestions: [],
    confidence,
    stillOpen: stillOpen?.flatMap(issueIdsIn) ?? null,
    wrong: [],
  };
  if (!read.ok) return { ...reading, wrong: [`it could not be read as the JSON asked for: ${read.reason}`] };
  for (const name of names) {
    const entries = read.value.criteria.filter((entry) => plainName(entry.name) === plainName(name));
    const [entry] = entries;
    const score = scoreIn(entry?.score);
    if (entry === undefined) reading.wrong.push(`"${name}" is missing`);
    else if (entries.length > 1) reading.wrong.push(`"${name}" is scored more than once`);
    else if (score === null) {
      const received = (JSON.stringify(entry.score) ?? 'nothing').slice(0, 60);
      reading.wrong.push(`the score of "${name}" is ${received}, not a number from 0 to 1`);
    } else {
      const { reason, issues, suggestions } = entry;
      reading.scores.set(name, { score, reason, issues: trimTexts(issues), suggestions: trimTexts(suggestions) });
    }
  }
  return reading;
}

/** Parses a plain-text response: a `name: score - reason` line for each criterion, then lists under "Issues:" and "Suggestions:". */
export function readPlainResponse(text: string, names: string[]): JudgeReading {
  const answer = withoutThinking(text);
  const reading: JudgeReading = {
    scores: new Map(),
    issues: listUnder(answer, /^(?:issues?|problems?)$/i),
    suggestions: listUnder(answer, /^suggestions?$/i),
    confidence: null,
    stillOpen: stillOpenIn(answer),
    wrong: [],
  };
  for (const name of names) {
    const score = readScore(answer, name) ?? (names.length === 1 ? readScore(answer) : null);
    if (score === null) reading.wrong.push(`there is no line "${name}: score" with a number from 0 to 1`);
    else reading.scores.set(name, { score, reason: reasonOf(answer, name), issues: [], suggestions: [] });
  }
  return reading;
}

function scoreIn(value: unknown): number | null {
  if (typeof value === 'string') return readScore(value);
  return typeof value === 'number' && value >= 0 && value <= 1 ? value : null;
}

/** Trims texts and omits empty ones. */
export function trimTexts(texts: string[]): string[] {
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
  const lines = responseLines(answer, 2_000).slice(0, 200);
  const namedLine = lines.find((line) => plainName(withoutMarks(line)).startsWith(plainName(withoutMarks(name))));
  const behindName = (namedLine ?? '').slice(name.length);
  const behindScore = behindName
    .slice(Math.max(0, behindName.search(/\d/)))
    .replace(/^[\d.,]+ ?(?:%|\/ ?\d+|out of \d+)?/, '')
    .replace(/^[^\p{L}"“]+/u, '');
  const prose = lines.find(
    (line) => line !== namedLine && line.split(/\s+/).filter((word) => /\p{L}{3}/u.test(word)).length >= 2,
  );
  return (namedLine !== undefined && /\p{L}/u.test(behindScore) ? behindScore : (prose ?? ''))
    .replace(/\*\*|__/g, '')
    .trim();
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
  const lines = responseLines(answer, MAX_IDS_LINE_LENGTH).map((line) => line.replace(/[*_#>`]/g, '').trim());
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
    const item = /^\s*(?:[-*•]|\d+[.)])\s+([\s\S]*)$/.exec(line)?.[1];
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
  const scores = names.map((name) =>
    findAgreedScore([...scoresIn(answer, name), ...(names.length === 1 ? scoresIn(answer) : [])]),
  );
  if (scores.includes(null)) return null;
  const read = structuredResponse(text, looseResponse);
  const plain = readPlainResponse(text, names);
  const {
    reason,
    issues = plain.issues,
    suggestions = plain.suggestions,
    confidence = null,
  } = read.ok ? read.value : {};
  const scored = names.map((name, at): [string, JudgeScore] => {
    const ownReason = plain.scores.get(name)?.reason ?? '';
    return [name, { score: scores[at] ?? 0, reason: reason ?? ownReason, issues: [], suggestions: [] }];
  });
  return { ...plain, scores: new Map(scored), issues, suggestions, confidence, wrong: [] };
}

/** Puts each entry of a JSON object on its own line, so that scores can be matched per line. */
function oneEntryALine(text: string): string {
  return text.replace(/[{}[\]]/g, '\n').replace(/,(?=\s*")/g, '\n');
}

function namesIn(lines: string): string[] {
  return [...lines.matchAll(/^\s{0,20}"(?:name|criterion)"\s{0,20}:\s{0,20}"([^"\n]{0,200})"/gm)].map(
    ([, name = '']) => name,
  );
}

/** The remarks of a response that is JSON in another shape. */
const looseResponse = z.object({
  reason: z.string().optional().catch(undefined),
  issues: remarks.optional(),
  suggestions: remarks.optional(),
  confidence: z.number().min(0).max(1).nullable().optional().catch(null),
});
