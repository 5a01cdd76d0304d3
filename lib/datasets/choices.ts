import { isRecord } from '#lib/core/is-record.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';
import { seededNumber } from '#lib/core/text-values.ts';
import { textOf } from './text-of.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The choices of a multiple-choice question, and their labels if the data has its own (ARC: `choices.label`). `right`: the positions of the
 * right choices if the data marks them, otherwise null.
 */
export type Choices = { texts: string[]; labels: string[]; right: number[] | null };
/** Number of the first choice in answers that are numbers, or null if answers are no numbers of choices. */
export type FirstChoice = 0 | 1 | null;

/** Returns the choices of a row, or null if it has fewer than 2 or more than 26. A value is one choice, a list of them, or an object. */
export function choicesOf(values: readonly unknown[], labels: unknown, isTable: boolean): Choices | null {
  const texts = values.flatMap((value) => textsOf(value, isTable)).filter((text) => text !== '');
  const own = textsOf(labels, isTable);
  if (texts.length < 2 || texts.length > LETTERS.length) return null;
  return { texts: withoutLetters(texts), labels: own.length === texts.length ? own : [], right: null };
}

/**
 * Returns the members of an object. One that marks each choice as right or wrong becomes two lists, `choices` and `labels`: TruthfulQA
 * (`mc1_targets: {"Yes": 1, "No": 0}`) and BIG-bench (`target_scores`).
 */
export function membersOf(name: string, value: Readonly<Record<string, unknown>>): [string, unknown][] {
  const marks = Object.values(value);
  const isMarked = /(?:_targets|(?:^|[._])target_scores)$/.test(name) && marks.length > 1 && marks.every(isMark);
  return isMarked
    ? [
        ['choices', Object.keys(value)],
        ['labels', marks],
      ]
    : Object.entries(value);
}

function isMark(value: unknown): boolean {
  return value === 0 || value === 1;
}

/** Columns with one wrong choice each, next to a column with the right one: GPQA (`Incorrect Answer 1`), SciQ (`distractor1`). */
export function isWrongChoice(column: string): boolean {
  return /^(?:(?:incorrect|wrong)[_ ]?answer|distractor)[_ ]?\d$/i.test(column);
}

/** Returns the choices of a row that has wrong choices and the right answer, in an order that is always the same for a question. */
export function withRightChoice(wrong: Choices | null, answer: string, question: string): Choices | null {
  if (wrong === null || answer === '' || wrong.texts.length >= LETTERS.length) return null;
  return shuffled({ texts: [answer, ...wrong.texts], labels: [], right: [0] }, question);
}

/**
 * Returns the choices with those that a list of 0 and 1 marks as right (TruthfulQA: `mc1_targets.labels`), in an order that is always the
 * same for a question. Returns null for other answers. In such data, the right choice is often the first one.
 */
export function withMarkedChoices(choices: Choices, answer: unknown, question: string): Choices | null {
  if (!Array.isArray(answer) || answer.length !== choices.texts.length) return null;
  if (!answer.every(isMark)) return null;
  const right = answer.flatMap((one, at) => (one === 1 ? [at] : []));
  return right.length === 0 ? null : shuffled({ ...choices, right }, question);
}

function shuffled({ texts, right }: Choices, question: string): Choices {
  const order = texts
    .map((text, from) => ({ from, place: seededNumber(question, text) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ from }) => from);
  return {
    texts: order.map((from) => texts[from] ?? ''),
    labels: [],
    right: order.flatMap((from, at) => (right?.includes(from) ? [at] : [])),
  };
}

/** Removes letters that the choices of some datasets begin with: `A) 21`. */
function withoutLetters(texts: readonly string[]): string[] {
  const plain = texts.map((text, at) => new RegExp(`^\\(?${LETTERS[at]}[).:]\\s*(.+)$`, 's').exec(text)?.[1]);
  return plain.every((text) => text !== undefined) ? plain : [...texts];
}

/** Lists of tables are JSON, or in the notation of Python or NumPy. */
function textsOf(value: unknown, isTable: boolean): string[] {
  if (isRecord(value)) return textsOf(Object.values(value), isTable);
  if (Array.isArray(value)) return value.map((one) => textOf(isRecord(one) && 'text' in one ? one.text : one).trim());
  const text = textOf(value).trim();
  if (!isTable || !/^\[.*\]$/s.test(text)) return text === '' ? [] : [text];
  const json = parseJsonOrText(text);
  if (Array.isArray(json)) return textsOf(json, false);
  if (!PYTHON_LIST.test(text)) return [text];
  return [...text.matchAll(PYTHON_TEXT)].map(([, one, two]) => (one ?? two ?? '').replace(/\\(['"\\])/g, '$1').trim());
}

const PYTHON_TEXT = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/gs;
const PYTHON_LIST = /^\[\s*(?:(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")[\s,]*)+\]$/s;

/** Returns the choices as lines: `A. Paris`. */
export function choiceLines({ texts }: Choices): string {
  return texts.map((text, at) => `${LETTERS[at]}. ${text}`).join('\n');
}

/**
 * Returns the letter of the choice that an answer names: by its label in the data, by its letter, by its number if `first` is not null, or
 * by its text. The letters of a JSON list are all required, and returned in order: `A, C`. Another answer is returned unchanged.
 */
export function letterOf(answer: string, choices: Choices, first: FirstChoice): string {
  if (choices.right !== null) return choices.right.map((at) => LETTERS[at]).join(', ');
  const list = parseJsonOrText(answer);
  const letters = (Array.isArray(list) ? list.map(textOf) : [answer]).map((one) => letterOfOne(one, choices, first));
  return letters.includes(null) ? answer : [...new Set(letters)].toSorted().join(', ');
}

function letterOfOne(answer: string, { texts, labels }: Choices, first: FirstChoice): string | null {
  const text = answer.trim();
  const letter = /^\(?([A-Z])[.):]?\)?$/i.exec(text)?.[1]?.toUpperCase() ?? '';
  const found = [
    labels.indexOf(text),
    letter === '' ? -1 : LETTERS.indexOf(letter),
    first !== null && /^\d{1,2}$/.test(text) ? Number(text) - first : -1,
    texts.indexOf(text),
  ].find((at) => at >= 0 && at < texts.length);
  return found === undefined ? null : (LETTERS[found] ?? null);
}

/**
 * Returns the number of the first choice, from the answers of some rows. Null if an answer is not the number of a choice, or if all answers
 * are also the text of a choice. Numbers begin at 1 if the number of the last choice occurs, and 0 does not.
 */
export function firstChoice(rows: readonly { answer: unknown; choices: Choices }[]): FirstChoice {
  const numbers = rows.map(({ answer }) => (/^\d{1,2}$/.test(textOf(answer).trim()) ? Number(textOf(answer)) : null));
  const isNumber = rows.every(({ choices }, at) => (numbers[at] ?? LETTERS.length) <= choices.texts.length);
  const isText = rows.every(
    ({ answer, choices }) => typeof answer === 'string' && choices.texts.includes(answer.trim()),
  );
  if (rows.length === 0 || !isNumber || isText) return null;
  return !numbers.includes(0) && rows.some(({ choices }, at) => numbers[at] === choices.texts.length) ? 1 : 0;
}

/** Names of columns with a list of choices. */
const LISTS = 'choices answers options endings answer_choices answer_options choices.text options.text'.split(' ');

/** Returns the column of marks next to a column of choices, `mc1_targets.labels` of `mc1_targets.choices`. Null for other columns. */
export function marksOf(column: string): string | null {
  return /\.choices$/.test(column) ? column.replace(/choices$/, 'labels') : null;
}
/** Columns with one choice each: `A`, `options.A`, `option_a`, `opa`, `choice1`, `ending0`, `mc_answer1`, `sol1`. */
const SINGLE =
  /^((?:.*\.)?(?:(?:option|choice|opt|op|answer|ending|mc_answer|sol)[_ ]?(?=[a-j]$|\d$)|(?=[a-j]$)))(.)$/i;
/** With only two of these, they are often something else: `answer_a` and `answer_b` of two models. */
const DOUBTFUL = /^(?:answer[_ ]?)?$/i;

/** Returns the columns with choices: a list, or columns that count from a, 0 or 1. Empty if there are none. */
export function choiceColumns(names: readonly string[]): string[] {
  const list = names.find((name) => LISTS.includes(name.toLowerCase()));
  if (list !== undefined) return [list];
  const wrong = names.filter(isWrongChoice);
  if (wrong.length > 1) return wrong;
  const groups = Map.groupBy(
    names.filter((name) => SINGLE.test(name)),
    (name) => SINGLE.exec(name)?.[1]?.toLowerCase() ?? '',
  );
  for (const [prefix, columns] of groups) {
    const order = columns.map((name) => {
      const end = SINGLE.exec(name)?.[2]?.toLowerCase() ?? '';
      return /\d/.test(end) ? Number(end) : end.charCodeAt(0) - 'a'.charCodeAt(0);
    });
    const start = order[0] ?? 0;
    const least = DOUBTFUL.test(prefix) ? 3 : 2;
    if (columns.length >= least && start <= 1 && order.every((one, at) => one === start + at)) return columns;
  }
  return [];
}

/** Returns true for an answer that names a choice by letter or number, or several by letters. */
export function namesChoice(answer: string): boolean {
  return /^\(?[a-j][.):]?\)?$|^\d$|^\["[a-j]"(?:, ?"[a-j]"){0,9}\]$/i.test(answer.trim());
}
