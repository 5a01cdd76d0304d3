/** Prompt that requests one of a few labels, with the text to classify. */
export type ClassificationPrompt = {
  labels: string[];
  /** Rules in prompt order. */
  rules: ClassificationRule[];
  /** True if it requests only the label. */
  labelOnly: boolean;
  text: string;
};

/** Labels are listed early in a prompt. The rest is the text to classify. */
const MAX_HEAD_LENGTH = 20_000;
const MAX_LINES = 200;
const WORD = '\\p{L}[\\p{L}\\p{N}_-]{0,39}';
const NAMED = '\\b(?:labels?|categor(?:y|ies))\\b[^\\n:]{0,80}:[ \\t]{0,3}';
const BETWEEN = '(?: ?[,/|] ?(?:or |and )?| or | and )';
const IN_A_ROW = new RegExp(`${NAMED}\\n?[ \\t]{0,3}(${WORD}(?:${BETWEEN}${WORD}){1,29})`, 'iu');
const IN_LINES = new RegExp(`${NAMED}\\n\\n?((?:[-*] ${WORD}\\b[^\\n]*(?:\\n|$)){2,30})`, 'iu');

const TEXT_BEGINS = /^(?:the )?(?:e-?mail|mail|message|text|ticket|input|case|request|question|review|comment):[ \t]*/i;
const LABEL_ONLY =
  /\blabel\b[^.\n]{0,30}\b(?:only|alone|nothing else)\b|\bonly\b[^.\n]{0,20}\blabel\b|\bnothing (?:but|except) the label\b/i;

/** Parses a prompt that lists labels ("answer with one label: bug, billing, other"). Returns null for any other prompt. */
export function readClassificationPrompt(prompt: string): ClassificationPrompt | null {
  const head = prompt.slice(0, MAX_HEAD_LENGTH);
  const row = IN_A_ROW.exec(head);
  const listed = row ?? IN_LINES.exec(head);
  if (listed === null) return null;
  const labels = (row === null ? labelsOfLines(listed[1] ?? '') : labelsOfRow(listed[1] ?? '')).filter(
    (label, at, all) => all.indexOf(label) === at,
  );
  if (labels.length < 2) return null;
  const { instructions, text } = divided(prompt, listed.index + listed[0].length);
  return {
    labels,
    rules: listLines(instructions)
      .slice(0, MAX_LINES)
      .flatMap((line) => readRule(line, labels) ?? []),
    labelOnly: LABEL_ONLY.test(instructions),
    text,
  };
}

function labelsOfRow(row: string): string[] {
  return row.split(/[,/|]| or | and /i).map((label) =>
    label
      .trim()
      .replace(/^(?:or|and) /i, '')
      .toLowerCase(),
  );
}

function labelsOfLines(lines: string): string[] {
  return lines
    .split('\n')
    .flatMap((line) => /^[-*] ([\p{L}\p{N}_-]+)/u.exec(line)?.[1] ?? [])
    .map((label) => label.toLowerCase());
}

/**
 * Splits instructions and text. The text begins at a line such as "Mail:" after the labels. Without one it is the text after the labels or,
 * if there is none, before them.
 */
function divided(prompt: string, labelsEnd: number): { instructions: string; text: string } {
  const lines = prompt.split('\n');
  let start = 0;
  for (const [at, line] of lines.entries()) {
    const marker = start < labelsEnd ? null : TEXT_BEGINS.exec(line);
    if (marker !== null)
      return {
        instructions: lines.slice(0, at).join('\n'),
        text: [line.slice(marker[0].length), ...lines.slice(at + 1)].join('\n').trim(),
      };
    start += line.length + 1;
  }
  const behind = withoutLists(prompt.slice(labelsEnd).replace(/^[.;]/, ''));
  return { instructions: prompt, text: behind === '' ? withoutLists(prompt.slice(0, labelsEnd)) : behind };
}

function withoutLists(text: string): string {
  return text
    .split('\n')
    .filter((line) => !LIST_LINE.test(line))
    .join('\n')
    .trim();
}

const LIST_LINE = /^ {0,3}(?:[-*]|\d{1,2}[.)])[ \t]+/;

/** Returns the lines of all lists, without bullets. Indented lines continue the line before. */
export function listLines(text: string): string[] {
  const items: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    if (LIST_LINE.test(line)) {
      items.push(line.replace(LIST_LINE, '').trim());
      isOpen = true;
    } else if (isOpen && /^\s+\S/.test(line)) items.push(`${items.pop() ?? ''} ${line.trim()}`);
    else isOpen = false;
  }
  return items;
}

/** Line of a prompt that says what belongs to a label. */
type ClassificationRule = { label: string; fits: (text: string) => boolean };

const QUOTED = /["“]([^"“”\n]{1,60})["”]/g;
const MIN_MATCHING_WORDS = 2;
const MAX_LINE_LENGTH = 400;
const MAX_SIGNS = 20;

/**
 * Parses a line such as `If it mentions "error code" or "E402": bug` or "A refund that fails is a bug, not billing". With quotations, one
 * of them must be in the text. Without, half of its longer words must be. Returns null if the line names no label.
 */
export function readRule(line: string, labels: string[]): ClassificationRule | null {
  const plain = line.slice(0, MAX_LINE_LENGTH).replaceAll('’', "'");
  const phrases = phrasesIn(plain).slice(0, MAX_SIGNS);
  const unquoted = plain.replace(QUOTED, ' ');
  const label = labelNamed(unquoted, labels);
  if (label === null) return null;
  const signs =
    phrases.length > 0 ? phrases.map(phrasePattern) : wordsOf(unquoted, labels).slice(0, MAX_SIGNS).map(wordPattern);
  if (signs.length === 0) return null;
  const needed =
    phrases.length > 0 ? 1 : Math.min(signs.length, Math.max(MIN_MATCHING_WORDS, Math.ceil(signs.length / 2)));
  return {
    label,
    fits: (text) => signs.filter((sign) => sign.test(text)).length >= needed,
  };
}

/** Returns the quotations in a text, in order, each once. */
export function phrasesIn(text: string): string[] {
  const found = [...text.matchAll(QUOTED)].map(([, phrase = '']) => phrase.trim()).filter((phrase) => phrase !== '');
  return [...new Set(found)];
}

/** Returns the label that a sentence is about: the one at its end, or else the first one not negated ("not billing"). */
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

/** Allows any spaces between the words and common endings. A code such as E402 matches all codes of the same form. */
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

/** Words without information about a text's topic. */
const IDLE = new Set(
  `about after all also always and answer answers anything because been before being belong belongs both case cases choose does
   down each even else every everything from goes have into label labels like mail mails means mention mentions mentioned message
   more most much must name named names never none only other otherwise should some such take text than that their them then there
   these they thing things this those under unless until very what when where whether which while will with without would write
   writes written your`.split(/\s+/),
);
