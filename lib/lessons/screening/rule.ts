import type { Reading } from './readings.ts';

/** Possible intents of a hostile lesson. */
const SCREEN_FAMILIES = [
  'prompt_injection',
  'score_manipulation',
  'tool_misuse',
  'privacy_leak',
  'scope_overreach',
] as const;
export type ScreenFamily = (typeof SCREEN_FAMILIES)[number];

/** Reason why a lesson is held: its apparent intent, the matching rule and the matched words. */
export type ScreenFinding = { family: ScreenFamily; rule: string; matched: string };

/** Pattern applied to every reading of a lesson, in time linear in its length. `rule` is the human-readable description of the finding. */
export type ScreenRule = {
  family: ScreenFamily;
  rule: string;
  /** Global. */
  pattern: RegExp;
  /** True if a warning directly before the match makes it harmless: "never …", "do not …". */
  warned?: true;
  /** A sentence that also matches this pattern is harmless. */
  unless?: RegExp;
};

/**
 * Compiles a phrase to a case-insensitive pattern with any punctuation between its words. A space is a required separator, ` ?` an optional
 * one, and `…3` allows up to three more words. The rest is regular expression syntax. Words and separators are mutually exclusive, so there
 * is only one way to match a text.
 */
export function phrase(words: string): RegExp {
  const source = words
    .replaceAll(/ …(\d) /g, (_all, most: string) => `\\W{1,5}(?:\\w{1,20}\\W{1,5}){0,${most}}`)
    .replaceAll(' ?', '\\W{0,3}')
    .replaceAll(' ', '\\W{1,5}');
  return new RegExp(`\\b(?:${source})\\b`, 'gi');
}

/** Finds content that a reviewer would not see: encoded words, invisible characters, comments. */
export function hiddenParts(text: string, readings: Reading[]): ScreenFinding[] {
  const findings: ScreenFinding[] = [];
  const hold = (rule: string, matched: string | undefined) => {
    if (matched !== undefined) findings.push({ family: 'prompt_injection', rule, matched });
  };
  hold('words in a code', readings.find((reading) => reading.encoded && WORDS.test(reading.text))?.text);
  hold('turned text', /[\u202d\u202e][^\n]{0,200}/.exec(text)?.[0]);
  hold('invisible characters', /[a-z][\u200b-\u200d\u2060-\u2064\ufeff]+[a-z][^\n]{0,100}/i.exec(text)?.[0]);
  hold('a comment', /<!--[\s\S]{0,200}/.exec(text)?.[0]);
  hold('a comment', /^[ \t]{0,3}\[[^\]\n]{1,50}\]:[ \t]{0,3}(?:#|<>)[ \t]{0,3}["'(][^\n]{0,200}/m.exec(text)?.[0]);
  return findings;
}

/** Three words in a row. */
const WORDS = /(?<!\p{L})\p{L}{2,30}[\p{P}\s]{1,3}\p{L}{2,30}[\p{P}\s]{1,3}\p{L}{2,30}/u;
