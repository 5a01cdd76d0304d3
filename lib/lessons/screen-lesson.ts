import { injectionsByLanguage } from '#lib/lessons/screening/injection-patterns.ts';
import {
  hiddenParts,
  type Reading,
  readingsOf,
  type ScreenFinding,
  type ScreenRule,
} from '#lib/lessons/screening/rule.ts';
import { PRIVACY_RULES, personalRecords } from './screening/privacy-rules.ts';
import { PROMPT_RULES, TOOL_RULES } from './screening/prompt-rules.ts';
import { SCOPE_RULES, SCORE_RULES } from './screening/scope-rules.ts';

export type { ScreenFamily, ScreenFinding } from '#lib/lessons/screening/rule.ts';

const RULES: readonly ScreenRule[] = [...PROMPT_RULES, ...SCORE_RULES, ...TOOL_RULES, ...PRIVACY_RULES, ...SCOPE_RULES];

/** Maximum characters of the matched text in a finding. */
const MAX_MATCH_LENGTH = 200;

/**
 * Screens a lesson for harmful instructions: leaving the task, manipulating scores, misusing tools, leaking private data, or exceeding a
 * lesson's scope. Checks the text as written and in decoded forms (see `readingsOf`). Returns each matching rule once, and an empty list if
 * nothing is found. People review the findings because a harmless lesson can mention such things.
 */
export function screenLesson(text: string): ScreenFinding[] {
  const readings = readingsOf(text);
  const findings = [...hiddenParts(text, readings), ...personalRecords(text)];
  for (const rule of RULES) {
    const matched = firstMatch(rule, readings);
    if (matched !== null) findings.push({ family: rule.family, rule: rule.rule, matched });
  }
  for (const finding of injectionsByLanguage(readings))
    if (!findings.some(({ rule }) => rule === finding.rule)) findings.push(finding);
  return findings.map((finding) => ({ ...finding, matched: cut(finding.matched) }));
}

function firstMatch({ pattern, warned, unless }: ScreenRule, readings: Reading[]): string | null {
  for (const { text, show } of readings) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const { index } = match;
      const end = index + match[0].length;
      const isHarmless = (warned && isWarning(text, index)) || unless?.test(sentenceAround(text, index, end));
      if (!isHarmless) return show(index, end);
      // An instruction can start inside a warning.
      pattern.lastIndex = index + 1;
    }
  }
  return null;
}

/** Returns true for "Never …", "do not ever …", "instead of …". But "do not hesitate to …" is an instruction. */
function isWarning(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  return /(?:\b(?:not|never|cannot|avoid|without|nor|against|instead of|rather than)|n['’]?t)\W{1,3}(?:(?:ever|to|simply|just|try to|attempt to|have to|need to|you should|you)\W{1,3}){0,2}$/i.test(
    before,
  );
}

function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - 200), start);
  const ends = ['.', '!', '?', '\n'].map((sign) => before.lastIndexOf(sign));
  return (
    before.slice(Math.max(...ends) + 1) +
    text.slice(start, end) +
    (/^[^.!?\n]*/.exec(text.slice(end, end + 200))?.[0] ?? '')
  );
}

function cut(text: string): string {
  const line = text.trim();
  return line.length > MAX_MATCH_LENGTH ? `${line.slice(0, MAX_MATCH_LENGTH - 1).toWellFormed()}…` : line;
}
