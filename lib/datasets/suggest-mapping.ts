import { isRecord } from '#lib/core/is-record.ts';
import type { CaseMapping } from './case-mapping-schema.ts';
import { choiceColumns, isWrongChoice, marksOf, membersOf, namesChoice } from './choices.ts';
import {
  argumentOf,
  isOwnColumn,
  PROMPTFOO_COLUMN,
  SPAN_INPUTS,
  SPAN_OUTPUTS,
  spanIndex,
  targetOf,
} from './mapped-columns.ts';
import { ANSWER_KEYS, answerText } from './other-conversations.ts';
import { textOf } from './text-of.ts';

/** A column of an import with the beginnings of some of its values. `empty` is true if it has no value in some rows. */
export type ImportColumn = { name: string; samples: string[]; empty: boolean };

const MAX_COLUMNS = 200;
const MAX_SAMPLES = 3;
const SAMPLE_CHARACTERS = 120;
/** Maximum depth at which keys of nested objects become columns. */
const MAX_KEY_DEPTH = 3;

/**
 * Returns the columns of these rows in order of first occurrence. Members of an object become columns `a.b`, except in a case's own
 * metadata and criteria, and in an object that as a whole is the reference.
 */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): ImportColumn[] {
  const found = new Map<string, { samples: string[]; filled: number }>();
  const split = new Map<string, { samples: string[]; filled: number }>();
  const add = (columns: typeof found, name: string, value: unknown): void => {
    const column = columns.get(name) ?? { samples: [], filled: 0 };
    if (columns.size >= MAX_COLUMNS && !columns.has(name)) return;
    columns.set(name, column);
    const text = textOf(value).trim();
    if (text === '') return;
    column.filled += 1;
    if (column.samples.length < MAX_SAMPLES) column.samples.push(text.slice(0, SAMPLE_CHARACTERS));
  };
  const meet = (name: string, given: unknown, depth: number): void => {
    const value = argumentOf(name, given);
    const isWhole = isOwnColumn(name, false) || isReferenceObject(name, value);
    if (isRecord(value) && depth < MAX_KEY_DEPTH && !isWhole && Object.keys(value).length > 0) {
      if (isInputName(name) || isReferenceName(name)) add(split, name, value);
      for (const [key, member] of membersOf(name, value)) meet(`${name}.${key}`, member, depth + 1);
      return;
    }
    add(found, name, isRecord(value) && !isWhole && Object.keys(value).length === 0 ? null : value);
  };
  for (const row of rows) for (const [name, value] of Object.entries(row)) meet(name, value, 1);
  // Inputs of different functions have no member in common, and some answers are messages or texts, so they are one column.
  for (const [name, column] of split) {
    const members = [...found].filter(([other]) => other.startsWith(`${name}.`));
    const whole = found.get(name) ?? { samples: [], filled: 0 };
    const hasCommon = members.some(([, { filled }]) => filled >= column.filled);
    if (members.length === 0 || (whole.filled === 0 && (hasCommon || !isInputName(name)))) continue;
    const samples = [...whole.samples, ...column.samples].slice(0, MAX_SAMPLES);
    found.set(name, { samples, filled: whole.filled + column.filled });
    for (const [other] of members) found.delete(other);
  }
  // An object that is null in some rows is not a column next to its members.
  const isMissingObject = (name: string) => [...found.keys()].some((other) => other.startsWith(`${name}.`));
  return [...found]
    .filter(([name, { filled }]) => filled > 0 || !isMissingObject(name))
    .map(([name, { samples, filled }]) => ({ name, samples, empty: filled < rows.length }));
}

/**
 * Returns true for an object that is a reference as a whole: an answer as a message, or expected values, such as those of Braintrust,
 * without a member named like a reference.
 */
function isReferenceObject(name: string, value: unknown): boolean {
  if (!isRecord(value) || !isReferenceName(name)) return false;
  return answerText(value) !== null || (plain(name) === 'expected' && !Object.keys(value).some(isReferenceName));
}

/** Source of a mapping: the columns of a case, the last import into the dataset, or a guess from the column names. */
export type MappingSource = 'own' | 'remembered' | 'suggested';

/**
 * Suggests a mapping for columns without one. Uses the mapping of the last import into the dataset if it fits, otherwise the column names.
 */
export function suggestMapping(
  columns: readonly ImportColumn[],
  remembered: CaseMapping | null,
  isTable: boolean,
): { mapping: CaseMapping; source: MappingSource } {
  if (columns.every(({ name }) => isOwnColumn(name, isTable))) return { mapping: {}, source: 'own' };
  const guessed = guessMapping(columns, isTable);
  const fits = remembered !== null && columns.some(({ name }) => targetOf(remembered, name) === 'input');
  if (!fits) return { mapping: guessed, source: 'suggested' };
  const hasReference = columns.some(({ name }) => targetOf(remembered, name) === 'reference');
  const needsReference = !hasReference && Object.values(remembered).includes('reference');
  const isOtherSpan = (column: string, target: string, names: readonly string[]) =>
    spanIndex(names, column) >= 0 &&
    Object.keys(remembered).some((name) => remembered[name] === target && spanIndex(names, name) >= 0);
  const entries = columns.map(({ name }) => {
    const known = targetOf(remembered, name);
    const target = targetOf(guessed, name) ?? 'metadata';
    // A guess must not add a second input or reference to those of the last import.
    const isExtra =
      (target === 'input' && !isOtherSpan(name, 'input', SPAN_INPUTS)) ||
      target === 'choices' ||
      (target === 'reference' && !needsReference && !isOtherSpan(name, 'reference', SPAN_OUTPUTS));
    return [name, known ?? (isExtra ? 'metadata' : target)] as const;
  });
  return { mapping: Object.fromEntries(entries), source: 'remembered' };
}

/** Column names that identify a target, most specific first. */
const INPUTS = (
  'input inputs messages conversations input_messages question question_stem question_text query prompt problem ' +
  'instruction user_input user_message message request utterance task text ticket email mail sentence content ' +
  'article document body ctx title goal'
).split(' ');
const REFERENCES = (
  'reference ideal ideal_answer expected expected_output expected_answer expected_response reference_answer best_answer ' +
  'correct_answer ground_truth gold gold_answer golden_answer target answer answer_key solution label ' +
  'correct_answer_id correct_answer_num answer_index correct_options correct_option cop output_messages output ' +
  'outputs completion response correct answers correct_answers preferred_output chosen'
).split(' ');
/** Counts of tokens and the labels of promptfoo, whose names are also those of inputs and references. */
const UNRELATED = /\.token_count\.|(?:^|\.)tokens?Us(?:ed|age)\.|^(?:prompt|provider)\.label$/;
/** Prefix of reference columns that also name the property: `expected_category`, `gold_label`. */
const EXPECTED = /^(expected|correct|gold|golden|ideal|target|reference)_/;
const TAGS = 'tags tag topic topics category categories subject labels split difficulty level'.split(' ');
/** Alpaca splits the task in an instruction and an input that is often empty. */
const ALPACA_INPUTS = ['instruction', 'input'];
const ALPACA_COLUMNS = [...ALPACA_INPUTS, 'output'];
/** The list of right answers in an object with other members: SQuAD, TriviaQA and DROP. */
const LISTED_ANSWERS = /^(?:answers\.text|answer\.aliases|answers_spans\.spans)$/;
/** Texts that a question is about. */
const PASSAGES = ['passage', 'flores_passage', 'context', 'article', 'story', 'support', 'premise'];
const IGNORED = ['', 'index', 'idx', 'row', 'row_number', 'unnamed_0', '_col0'];
/** Columns that are the input only if there is no other one. */
const NO_INPUTS = new Set([...IGNORED, ...TAGS, 'metadata', 'criteria', 'assert']);

function guessMapping(columns: readonly ImportColumn[], isTable: boolean): CaseMapping {
  const isPromptfoo = (name: string) => isTable && PROMPTFOO_COLUMN.test(name);
  const marked = columns.find((column) => isMarked(column, columns)) ?? null;
  const marks = marked === null ? null : marksOf(marked.name);
  const reference = columns.find(({ name }) => isPromptfoo(name))?.name ?? guessReference(columns) ?? marks;
  const input = guessInput(columns, reference);
  // The value of a span's output belongs to the value of its input. Its messages may be those of other spans.
  const ofInput = input?.endsWith('input.value') ? input.replace(/input\.value$/, 'output.value') : null;
  const answer = columns.some(({ name }) => name === ofInput) ? ofInput : reference;
  const choices = answer !== null && answer === marks ? [marked?.name] : guessChoices(columns, input, answer);
  const inputs = withOtherSpans(columns, input, SPAN_INPUTS);
  const answers = inputs.length > 1 ? withOtherSpans(columns, answer, SPAN_OUTPUTS) : [answer];
  const isAlpaca = ALPACA_COLUMNS.every((column) => columns.some(({ name }) => name === column));
  const hasQuestion = input !== null && /^(?:question(?:_text)?|query|instruction)$/.test(plain(input));
  const startsWith = (signs: RegExp) => (sample: string) => signs.test(sample);
  // The first rule that a column matches decides its target.
  const rules: readonly [target: string, matches: (column: ImportColumn) => boolean][] = [
    ['choices', ({ name }) => choices.includes(name)],
    [
      'input',
      ({ name, samples }) => hasQuestion && PASSAGES.includes(plain(name)) && !samples.some(startsWith(/^[[{]/)),
    ],
    ['input', ({ name }) => inputs.includes(name) || (isAlpaca && ALPACA_INPUTS.includes(name))],
    ['reference', ({ name }) => answers.includes(name) || isPromptfoo(name)],
    // The tags of MLflow are pairs of names and values.
    ['metadata', ({ name, samples }) => name === 'tags' && samples.some(startsWith(/^\{/))],
    // Other tools have a text of this name, such as the criteria of a model-graded evaluation.
    ['metadata', ({ name, samples }) => name === 'criteria' && !samples.every(startsWith(/^\{/))],
    ['metadata', ({ name }) => isOwnColumn(name, isTable) && name.startsWith('metadata')],
    ['criteria', ({ name }) => name === 'criteria'],
    ['ignore', ({ name }) => IGNORED.includes(plain(name))],
    ['tags', ({ name }) => TAGS.includes(plain(name)) && !columns.some((one) => marksOf(one.name) === name)],
  ];
  const otherTarget = (name: string) => {
    const variable = variableName(name);
    return !isTable && name.includes('.') && variable !== '' ? `variable.${variable}` : 'metadata';
  };
  return withDistinctNames(
    columns.map((column) => {
      const [target] = rules.find(([, matches]) => matches(column)) ?? [];
      return [column.name, target ?? otherTarget(column.name)];
    }),
  );
}

/** Returns a column and, if spans of other instrumentations have none, the columns of theirs. */
function withOtherSpans(
  columns: readonly ImportColumn[],
  column: string | null,
  names: readonly string[],
): (string | null)[] {
  const isSpan = column !== null && spanIndex(names, column) >= 0;
  if (!isSpan || !columns.some(({ name, empty }) => name === column && empty)) return [column];
  return columns.map(({ name }) => name).filter((name) => spanIndex(names, name) >= 0);
}

function guessReference(columns: readonly ImportColumn[]): string | null {
  const find = (isReference: (name: string) => boolean) => columns.find(({ name }) => isReference(name))?.name ?? null;
  return (
    best(columns, REFERENCES) ??
    find((name) => EXPECTED.test(plain(name)) || LISTED_ANSWERS.test(name)) ??
    bestOfPhoenix(columns, 'output_', REFERENCES) ??
    find((name) => isInReference(name) && ANSWER_KEYS.includes(plain(name)))
  );
}

function guessInput(columns: readonly ImportColumn[], reference: string | null): string | null {
  const candidates = columns.filter(({ name }) => !isInReference(name));
  const filled = candidates.filter(({ empty }) => !empty);
  const others = columns.filter(({ name }) => name !== reference);
  return (
    best(filled, INPUTS) ??
    best(candidates, INPUTS) ??
    bestOfPhoenix(columns, 'input_', INPUTS) ??
    longest(others.filter(({ name }) => !NO_INPUTS.has(plain(name)))) ??
    longest(others.filter(({ name }) => !IGNORED.includes(plain(name))))
  );
}

/** Returns true for a list of choices with a list of 0 and 1 next to it. */
function isMarked({ name }: ImportColumn, columns: readonly ImportColumn[]): boolean {
  const marks = columns.find((other) => other.name === marksOf(name));
  return marks?.samples.every((sample) => /^\[[01,\s]+\]?…?$/.test(sample)) === true;
}

/** Returns the columns with the choices that the samples of the answer name, or an empty list. */
function guessChoices(columns: readonly ImportColumn[], input: string | null, answer: string | null): string[] {
  const answers = columns.find(({ name }) => name === answer)?.samples ?? [];
  const choices = choiceColumns(columns.map(({ name }) => name).filter((name) => name !== input && name !== answer));
  const texts = columns.flatMap(({ name, samples }) => (choices.includes(name) ? samples : []));
  const isListed = (one: string) => texts.some((text) => text === one || text.includes(JSON.stringify(one)));
  if (choices.length > 0 && choices.every(isWrongChoice)) return answers.length === 0 ? [] : choices;
  const isAnswers = choices.some((name) => /^answers?[_ ]?.?$/i.test(name)) && !/^correct/.test(plain(answer ?? ''));
  // Columns named like answers can hold all right answers.
  const isChoice = (one: string) =>
    isAnswers ? namesChoice(one) && !isListed(one) : namesChoice(one) || texts.some((text) => text.includes(one));
  return answers.length > 0 && answers.every(isChoice) ? choices : [];
}

/** Names members of different objects by their whole path if their values would otherwise overwrite each other. */
function withDistinctNames(targets: readonly [column: string, target: string][]): CaseMapping {
  const names = targets.map(([column, target]) =>
    target === 'metadata' ? column : target.startsWith('variable.') ? target.slice('variable.'.length) : null,
  );
  return Object.fromEntries(
    targets.map(([column, target], at) => {
      const isShared =
        target.startsWith('variable.') && names.some((name, other) => other !== at && name === names[at]);
      return [column, isShared ? `variable.${variableName(column.replaceAll('.', '_'))}` : target];
    }),
  );
}

/** Phoenix exports the members of inputs and outputs to CSV as `input_NAME` and `output_NAME`. Returns null for other tables. */
function bestOfPhoenix(columns: readonly ImportColumn[], prefix: string, names: readonly string[]): string | null {
  if (!columns.some(({ name }) => name === 'example_id')) return null;
  const members = columns.filter(({ name }) => name.startsWith(prefix));
  const found = best(
    members,
    names.map((name) => prefix + name),
  );
  return found ?? members[0]?.name ?? null;
}

/** Returns true for a member of an object with the name of a reference, such as `response.messages`. */
function isInReference(name: string): boolean {
  return name.split('.').slice(0, -1).some(isReferenceName);
}

/** Returns true if the last part of a name is one of the known names of inputs. */
export function isInputName(name: string): boolean {
  return INPUTS.includes(plain(name));
}

function isReferenceName(name: string): boolean {
  return REFERENCES.includes(plain(name));
}

/** Returns the column whose name occurs first in the list, or null if no name matches. */
function best(columns: readonly ImportColumn[], names: readonly string[]): string | null {
  const found = columns
    .map(({ name }) => ({ name, at: names.indexOf(plain(name)) }))
    .filter(({ name, at }) => at >= 0 && !UNRELATED.test(name))
    .toSorted((one, other) => one.at - other.at);
  return found[0]?.name ?? null;
}

/** Returns true if no input column of the mapping has a known input name, so that the column with the longest values was chosen. */
export function isInputByLength(mapping: CaseMapping): boolean {
  const inputs = Object.keys(mapping).filter((name) => mapping[name] === 'input');
  return inputs.length > 0 && inputs.every((name) => !INPUTS.includes(plain(name).replace(/^input_/, '')));
}

/** Returns the column with the longest values, which is usually the input. */
function longest(columns: readonly ImportColumn[]): string | null {
  const length = ({ samples }: ImportColumn) => samples.reduce((sum, sample) => sum + sample.length, 0);
  return columns.toSorted((one, other) => length(other) - length(one))[0]?.name ?? null;
}

/**
 * Normalizes the last part of a name to lower case with underscores: `Vars.User Message` and `userMessage` become `user_message`. Spans of
 * OpenInference have the input as `input.value`, results of promptfoo as `prompt.raw`.
 */
function plain(name: string): string {
  return variableName(name.replace(/\b(input|output)\.value$|\b(prompt)\.raw$/, '$1$2'))
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^_+(?=expected$)/, '');
}

/** Converts the name of a column to a name that a prompt can insert. */
export function variableName(column: string): string {
  const last = column.replace(/^.*\.(?=.)/, '');
  return last
    .trim()
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/^_+(?=[a-z])|_+$/gi, '')
    .slice(0, 100);
}
