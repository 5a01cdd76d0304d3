/**
 * The score that stands in a reply in plain words, from 0 to 1, or null. Read are lines that begin with a label
 * (`score: 0.85`, `**Clarity**: 7 out of 10`, `Final score = 85 %`, `score: 0,85`) and a line that is nothing but a
 * score (`0.85`, `8/10`, `85%`). Other numbers in the prose are never taken for one; a number out of range, or two different
 * scores of the same standing, read as null. With a `label`, only lines that begin with that name are read.
 */
export function readScore(text: string, label: string | null = null): number | null {
  return theOnly(scoresIn(text, label));
}

/**
 * All scores that `readScore` decides between, from 0 to 1, in the order of their lines; null stands for one that cannot be used
 * (out of range, a range). Empty where there is none.
 */
export function scoresIn(text: string, label: string | null = null): (number | null)[] {
  const lines = text
    .split(/\r\n|\n|\r/)
    .map((line) => withoutMarkup(line.slice(0, LONGEST_LINE)))
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

/** Scores stand at the beginning of their line; patterns are kept away from what a hostile line may hold behind it. */
const LONGEST_LINE = 400;
const NUMBER = String.raw`(?:\d+(?:[.,]\d+)?|[.,]\d+)`;
const VALUE = new RegExp(
  String.raw`^(?:~|≈|about |approximately )?\s*(?<number>[+-]?${NUMBER})\s*(?:(?<percent>%|percent\b)|(?:/|out of|of)\s*(?<scale>${NUMBER})(?<percentScale>\s*%)?)?(?<rest>.*)$`,
  'i',
);
/** What may follow a score on its line: nothing, or a remark that is set off from it; not another part of a number, range or date. */
const REMARK =
  /^(?:$|[.!;](?:\s|$)|,\s|\s*[([|]|\s*[–—-](?!\s*(?:[01]?[.,]\d|\d+\s*(?:$|[%/(,.])))|\s+(?![-–—/%]|to\b|\d|points?\b|stars?\b|of\b|out\b)\S)/i;
/** A line of a longer text counts as a score by itself only when it can't be a list number or a year. */
const LOOKS_LIKE_A_SCORE = new RegExp(
  String.raw`^${NUMBER}\s*(?:%|/\s*${NUMBER}|out of ${NUMBER})[.!]?$|^(?:0[.,]\d+|1[.,]0+|[.,]\d+)[.!]?$`,
  'i',
);

/** Lines that begin with a label; `value` is what stands behind it. */
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

/** What a labelled line says after its label; null for other lines. */
function labelledValue(line: string, pattern: RegExp): { value: string; scale: number | null; final: boolean } | null {
  const groups = pattern.exec(line)?.groups;
  if (groups?.value === undefined) return null;
  const value = groups.value.replace(/^[:=|]\s*/, '').replace(/[\s|,"']+$/, '');
  return { value, scale: groups.scale === undefined ? null : Number(groups.scale), final: groups.final !== undefined };
}

/** `0.85`, `8/10`, `85%` … as a number from 0 to 1; null for anything else. */
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

/** The one value all agree on; null when there is none or they differ. */
function theOnly(scores: (number | null)[]): number | null {
  const [first] = scores;
  return first !== undefined && scores.every((score) => score === first) ? first : null;
}

/** A line without Markdown's list marks, headings, quotes, emphasis and table bars at its ends. */
function withoutMarkup(line: string): string {
  return line
    .replace(/^[\s>|]*(?:#{1,6}\s+|[-*+•]\s+|\d+[.)]\s+(?=\D))?/, '')
    .replace(/\*\*|__|`|(?<![\p{L}\d])[*_]|[*_](?![\p{L}\d])/gu, '')
    .replace(/[\s|]+$/, '')
    .trim();
}
