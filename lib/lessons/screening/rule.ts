import type { Reading } from './readings.ts';

/** What a hostile lesson can be after. */
const SCREEN_FAMILIES = [
  'prompt_injection',
  'score_manipulation',
  'tool_misuse',
  'privacy_leak',
  'scope_overreach',
] as const;
export type ScreenFamily = (typeof SCREEN_FAMILIES)[number];

/** Why a lesson is held: what it seems to be after, by which rule, and the words that show it. */
export type ScreenFinding = { family: ScreenFamily; rule: string; matched: string };

/** One thing to look for in every reading of a lesson, in time linear in its length. `rule` says to people what was found. */
export type ScreenRule = {
  family: ScreenFamily;
  rule: string;
  /** Global. */
  pattern: RegExp;
  /** Warnings against the same thing are none: "never …", "do not …" right before it. */
  warned?: true;
  /** Sentences that also say this are harmless. */
  unless?: RegExp;
};

/**
 * A pattern of a phrase, in any case and with any signs between its words: a space is what stands between two words, ` ?` what may,
 * `…3` up to three words more; all else is as in patterns. Words and what is between them exclude each other, so that there is only
 * one way to read a text.
 */
export function phrase(words: string): RegExp {
  const source = words
    .replaceAll(/ …(\d) /g, (_all, most: string) => `\\W{1,5}(?:\\w{1,20}\\W{1,5}){0,${most}}`)
    .replaceAll(' ?', '\\W{0,3}')
    .replaceAll(' ', '\\W{1,5}');
  return new RegExp(`\\b(?:${source})\\b`, 'gi');
}

/** What a person who looks at a lesson would not see, whatever it says: words in a code, invisible characters, comments. */
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
