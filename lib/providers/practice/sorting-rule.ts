/** A line of a prompt that says what belongs under a label. */
export type SortingRule = { label: string; fits: (text: string) => boolean };

const QUOTED = /["“]([^"“”\n]{1,60})["”]/g;
const FEWEST_WORDS = 2;
/** What a rule says beyond this is not read. */
const LONGEST_LINE = 400;
const MOST_SIGNS = 20;

/**
 * Reads a line such as `If it mentions "error code" or "E402": bug` or "A refund that fails is a bug, not billing". Where it quotes,
 * one of the quotations must be in the text; else half of its own longer words. Null for a line that names no label.
 */
export function readRule(line: string, labels: string[]): SortingRule | null {
  const plain = line.slice(0, LONGEST_LINE).replaceAll('’', "'");
  const phrases = phrasesIn(plain).slice(0, MOST_SIGNS);
  const unquoted = plain.replace(QUOTED, ' ');
  const label = labelNamed(unquoted, labels);
  if (label === null) return null;
  const signs =
    phrases.length > 0 ? phrases.map(phrasePattern) : wordsOf(unquoted, labels).slice(0, MOST_SIGNS).map(wordPattern);
  if (signs.length === 0) return null;
  const needed = phrases.length > 0 ? 1 : Math.min(signs.length, Math.max(FEWEST_WORDS, Math.ceil(signs.length / 2)));
  return {
    label,
    fits: (text) => signs.filter((sign) => sign.test(text)).length >= needed,
  };
}

/** What a text quotes, in order, each once. */
export function phrasesIn(text: string): string[] {
  const found = [...text.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim()).filter((phrase) => phrase !== '');
  return [...new Set(found)];
}

/** The label a sentence is about: the one at its end, else the first that it does not deny ("not billing"). */
export function labelNamed(sentence: string, labels: string[]): string | null {
  const text = sentence.toLowerCase();
  const last = labels.find((label) => new RegExp(`[:→=]\\s*${label}[.!]?\\s*$`, 'u').test(text));
  if (last !== undefined) return last;
  const named = labels.flatMap((label) => {
    const pattern = new RegExp(`(?<!\\b(?:not|no|never|than|instead of) (?:an? |the )?)${whole(label)}`, 'u');
    const at = text.search(pattern);
    return at < 0 ? [] : [{ label, at }];
  });
  return named.sort((one, other) => one.at - other.at)[0]?.label ?? null;
}

function whole(text: string): string {
  return `(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`;
}

/** Any spaces between its words, usual endings behind it; a code such as E402 stands for all that are written like it. */
function phrasePattern(phrase: string): RegExp {
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  const isCode = /^\p{L}+-?\d+$/u.test(phrase);
  const pattern = isCode ? escaped.replace(/\d/g, '\\d') : escaped;
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?:s|es|d|ed|ing)?(?![\\p{L}\\p{N}])`, 'iu');
}

function wordsOf(sentence: string, labels: string[]): string[] {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]{4,40}/gu) ?? [];
  return [...new Set(words)].filter((word) => !labels.includes(word) && !IDLE.has(word));
}

function wordPattern(word: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/(?:ing|ed|es|s|e)$/, '')}`, 'iu');
}

/** Words that say nothing about what a text is on. */
const IDLE = new Set(
  `about after all also always and answer answers anything because been before being belong belongs both case cases choose does
   down each even else every everything from goes have into label labels like mail mails means mention mentions mentioned message
   more most much must name named names never none only other otherwise should some such take text than that their them then there
   these they thing things this those under unless until very what when where whether which while will with without would write
   writes written your`.split(/\s+/),
);
