import type { Reading } from './readings.ts';
import type { ScreenFinding } from './rule.ts';

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
