import { readRule, type SortingRule } from './sorting-rule.ts';

/** A prompt that asks for one of a few labels, with the text it is to be given to. */
export type SortingPrompt = {
  labels: string[];
  /** In the order they stand. */
  rules: SortingRule[];
  /** Whether it asks for the label and nothing else. */
  labelOnly: boolean;
  text: string;
};

/** Prompts list their labels early; what comes later is the text to be sorted. */
const LONGEST_HEAD = 20_000;
const MOST_LINES = 200;
const WORD = '\\p{L}[\\p{L}\\p{N}_-]{0,39}';
const NAMED = '\\b(?:labels?|categor(?:y|ies))\\b[^\\n:]{0,80}:[ \\t]{0,3}';
const BETWEEN = '(?: ?[,/|] ?(?:or |and )?| or | and )';
const IN_A_ROW = new RegExp(`${NAMED}\\n?[ \\t]{0,3}(${WORD}(?:${BETWEEN}${WORD}){1,29})`, 'iu');
const IN_LINES = new RegExp(`${NAMED}\\n\\n?((?:[-*] ${WORD}\\b[^\\n]*(?:\\n|$)){2,30})`, 'iu');

const TEXT_BEGINS = /^(?:the )?(?:e-?mail|mail|message|text|ticket|input|case|request|question|review|comment):[ \t]*/i;
const LABEL_ONLY =
  /\blabel\b[^.\n]{0,30}\b(?:only|alone|nothing else)\b|\bonly\b[^.\n]{0,20}\blabel\b|\bnothing (?:but|except) the label\b/i;

/** Reads a prompt that lists labels ("answer with one label: bug, billing, other"); null for every other. */
export function readSortingPrompt(prompt: string): SortingPrompt | null {
  const head = prompt.slice(0, LONGEST_HEAD);
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
      .slice(0, MOST_LINES)
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

/** The text begins at a line such as "Mail:" behind the labels; without one it is what stands behind them or, if nothing does, before. */
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

/** The lines of all lists, without their marks; indented lines go on with the one before. */
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
