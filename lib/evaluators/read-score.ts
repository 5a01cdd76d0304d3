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
export function scoresIn(text: string, label: string | null = null): (number | null)[] {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => withoutMarkup(line.slice(0, MAX_LINE_LENGTH)))
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

/**
 * Maximum number of characters matched per line. Scores occur at the beginning, and the limit protects the patterns from malicious lines.
 */
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

/** Returns the value of a labeled line, or null for other lines. */
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
