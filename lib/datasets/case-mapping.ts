import { isRecord } from '#lib/core/is-record.ts';
import { parseJsonOrText } from '#lib/core/json-values.ts';
import { exactCell, textOfCell } from '#lib/formats/csv-cell.ts';
import { isMessageList, isMessageListInText } from './case-input.ts';
import type { CaseMapping } from './case-mapping-schema.ts';
import {
  type Choices,
  choiceLines,
  choicesOf,
  type FirstChoice,
  firstChoice,
  isWrongChoice,
  letterOf,
  membersOf,
  withMarkedChoices,
  withRightChoice,
} from './choices.ts';
import {
  argumentOf,
  FINE_TUNING_COLUMNS,
  isOwnColumn,
  PROMPTFOO_COLUMN,
  SPAN_INPUTS,
  SPAN_OUTPUTS,
  spanIndex,
  targetOf,
} from './mapped-columns.ts';
import { answerText, contentOfRequest, messagesOfOther, sharedMessages } from './other-conversations.ts';
import { textOf } from './text-of.ts';

/** Rules for reading the columns of an import. */
export type CaseReading = {
  mapping: CaseMapping;
  /** True if columns that are neither mapped nor part of a case become metadata. Otherwise they are faults. */
  keepOthers: boolean;
  /** Number of the first choice if answers are numbers of choices, see `firstChoiceOf`. */
  firstChoice?: FirstChoice;
};

/** The parts of a case before validation, and the column that each part came from. */
type MappedRow = { value: Record<string, unknown>; columns: ReadonlyMap<string, string> };
type Leaf = [column: string, value: unknown];

/**
 * Builds the parts of a case from the columns of a row. Multiple input or reference columns are joined in order with a blank line, except
 * those of a span, which repeat each other. Multiple tag columns are combined. With `isTable`, cells are text and an empty cell counts as
 * missing. Without a column for the reference, an answer at the end of `messages` or `conversations` is the reference, so that models do
 * not get it. Choices follow a text input as lettered lines, and the reference is then a letter. Otherwise they become metadata.
 */
export function mapRow(
  row: Readonly<Record<string, unknown>>,
  { mapping, keepOthers, firstChoice: first = null }: CaseReading,
  isTable: boolean,
): MappedRow {
  const isExported = isTable && isExportedTable(row);
  const leaves = leavesOf(isExported ? exportedTexts(row) : row, mapping);
  const taken = new Set(leaves.map(([column]) => targetOf(mapping, column)));
  const read = leaves.map(([column, value]) => {
    // A column mapped to a part takes precedence over a column that only has the part's name.
    const own = isOwnColumn(column, isTable) && !taken.has(column) ? column.split('.', 1)[0] : undefined;
    return { column, value, target: targetOf(mapping, column) ?? own ?? 'other' };
  });
  const of = (target: string) =>
    read.flatMap((one): Leaf[] => (one.target === target ? [[one.column, one.value]] : []));
  const isThere = ([, value]: Leaf) => value !== null && !(isTable && !isExported && value === '');

  const whole: Leaf[] = [];
  const columns = new Map<string, string>();
  const json = (value: unknown) => (isTable ? parseJsonOrText(value) : value);
  const assign = (part: string, from: Leaf[], convert: (value: unknown) => unknown) => {
    const [first] = from;
    if (first === undefined) return;
    columns.set(part, first[0]);
    whole.push([part, convert(first[1])]);
  };
  const input = ofOneSpan(of('input'), SPAN_INPUTS).filter(
    ([column, value]) => column !== 'messages' || !isEmptyList(value),
  );
  const inputValue = inputOf(input, isTable);
  const choices =
    typeof inputValue === 'string' && inputValue !== ''
      ? choicesOfQuestion(inputValue, leaves, mapping, isTable)
      : null;
  const criteria = of('criteria');
  const reference = ofOneSpan(of('reference'), SPAN_OUTPUTS).map((one) => (isExported ? one : answersOf(one, isTable)));
  const assertions = isTable ? reference.filter((one) => PROMPTFOO_COLUMN.test(one[0]) && isThere(one)) : [];
  const answer = assertions.find(([, value]) => !CHECK.test(String(value)));
  const checks = assertions.filter((one) => one !== answer);
  const tags = of('tags').filter(([, value]) => isTable || value !== null);
  const messages = of('messages').filter(([column, value]) => isThere([column, value]) && !isEmptyList(value));
  const hasInput = input.some(([, value]) => value !== null && value !== '');
  if (messages.length > 0)
    assign(hasInput ? 'messages' : 'input', messages, (value) => messagesOfOther(json(value)) ?? json(value));
  if (messages.length === 0 || hasInput)
    assign('input', input, () => {
      if (choices !== null) return `${inputValue}\n\n${choiceLines(choices)}`;
      return isExported ? exportedInput(inputValue) : inputValue;
    });
  assign('reference', reference, () => {
    const isGiven = ([, value]: Leaf) => !isRecord(value) || Object.keys(value).length > 0;
    const filled = reference.filter((one) => isThere(one) && isGiven(one) && !checks.includes(one));
    const texts = filled.map((one) => (one === answer ? withoutPrefix(one) : one));
    const joined = texts.length === 0 ? null : joinedText(texts, 'reference');
    return choices === null || joined === null ? joined : letterOf(textOf(joined), choices, first);
  });
  assign('tags', tags, () =>
    tags.length === 1 && !isTable && tags[0]?.[0] === 'tags'
      ? tags[0][1]
      : [...new Set(tags.flatMap(([column, value]) => tagsOf(value, column)))],
  );
  assign('criteria', isTable ? criteria.filter(isThere) : criteria, json);

  const others = of('other');
  const own = of('metadata').find(([column]) => column === 'metadata' && !isTable)?.[1] ?? undefined;
  const named = read.flatMap(({ column, value, target }): Leaf[] => {
    if (target.startsWith('variable.')) return [[target.slice('variable.'.length), value]];
    if (target !== 'metadata' || (column === 'metadata' && !isTable)) return [];
    return [[isTable ? column.replace(/^metadata\./, '') : column, value]];
  });
  const kept = [...(keepOthers ? others : []), ...checks, ...(choices === null ? of('choices') : []), ...named];
  const value = Object.fromEntries([...whole, ...metadataOf(own, kept.filter(isThere)), ...(keepOthers ? [] : others)]);
  const source = columns.get('input') ?? '';
  const answered = FINE_TUNING_COLUMNS.includes(source) && !columns.has('reference') ? answeredOf(value.input) : null;
  if (answered === null) return { value, columns };
  return { value: { ...value, ...answered }, columns: new Map([...columns, ['reference', source]]) };
}

/** Omits all but the first of the attributes in the list that have a value. Other columns are kept. */
function ofOneSpan(leaves: Leaf[], names: readonly string[]): Leaf[] {
  const indexes = leaves.flatMap(([column, value]) => (textOf(value) === '' ? [] : spanIndex(names, column)));
  const first = Math.min(...indexes.filter((index) => index >= 0));
  return leaves.filter(([column]) => {
    const index = spanIndex(names, column);
    return index < 0 || index === first || first === Number.POSITIVE_INFINITY;
  });
}

/** Returns the metadata of a case from the row's own metadata, which may be faulty, and from named columns. */
function metadataOf(own: unknown, named: readonly Leaf[]): Leaf[] {
  if (own !== undefined && !isRecord(own)) return [['metadata', own]];
  return own === undefined && named.length === 0 ? [] : [['metadata', { ...Object.fromEntries(named), ...own }]];
}

/** Returns the choices of a row. If its columns say which of them are right, they are shuffled, always in the same way for a question. */
function choicesOfQuestion(
  question: string,
  leaves: readonly Leaf[],
  mapping: CaseMapping,
  isTable: boolean,
): Choices | null {
  const found = choicesIn(leaves, mapping, isTable);
  const answers = leaves.filter(([column]) => targetOf(mapping, column) === 'reference');
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) return found;
  const isWrong = leaves.every(([column]) => targetOf(mapping, column) !== 'choices' || isWrongChoice(column));
  if (isWrong) return withRightChoice(found, textOf(answer[1]).trim(), question);
  return found === null ? null : (withMarkedChoices(found, answer[1], question) ?? found);
}

/** Returns the choices of a row, with the labels next to them in the same object. */
function choicesIn(leaves: readonly Leaf[], mapping: CaseMapping, isTable: boolean): Choices | null {
  const from = leaves.filter(([column]) => targetOf(mapping, column) === 'choices');
  const labels = from.length === 1 ? from[0]?.[0].replace(/\.text$/, '.label') : undefined;
  const own = leaves.find(([column]) => column === labels && column !== from[0]?.[0]);
  return choicesOf(
    from.map(([, value]) => value),
    own?.[1],
    isTable,
  );
}

/**
 * Returns the number of the first choice in the answers of these rows, or null if the answers are no numbers or nothing is mapped to it.
 */
export function firstChoiceOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  mapping: CaseMapping,
  isTable: boolean,
): FirstChoice {
  if (!Object.values(mapping).includes('choices')) return null;
  return firstChoice(
    rows.flatMap((row) => {
      const leaves = leavesOf(row, mapping);
      const answer = leaves.find(([column]) => targetOf(mapping, column) === 'reference')?.[1];
      const choices = choicesIn(leaves, mapping, isTable);
      return choices === null || textOf(answer) === '' ? [] : [{ answer, choices }];
    }),
  );
}

/** Splits messages that end with the text of an answer, as in fine-tuning files. Returns null for others. */
function answeredOf(messages: unknown): { input: unknown[]; reference: string } | null {
  if (!Array.isArray(messages) || messages.length < 2) return null;
  const last: unknown = messages.at(-1);
  const reference = isRecord(last) && last.role === 'assistant' ? answerText(last) : null;
  return reference === null ? null : { input: messages.slice(0, -1), reference };
}

/** Checks that compare the answer with a text, which is the reference. */
const COMPARISON = /^(?:equals|i?contains|starts-with|similar|levenshtein|rouge-n|bleu|factuality)(?:\([\d.]+\))?:\s*/;
/** Other checks. Their text is no answer. */
const CHECK =
  /^(?:file:\/\/|(?:javascript|fn|eval|python|grade|regex|llm-rubric|g-eval|(?:not-|i?contains-|is-|answer-|context-|model-graded-)[a-z-]+|cost|latency|perplexity|webhook|moderation|classifier)(?:\([\d.]+\))?:|(?:not-)?(?:is|contains)-[a-z-]+$|(?:cost|latency)\([\d.]+\)$)/;

function withoutPrefix([column, value]: Leaf): Leaf {
  return [column, String(value).replace(COMPARISON, '')];
}

/** Returns the fault of a cell of a table that Hone cannot read, with its column, or null. Ignored columns may contain one. */
export function findUnreadableCell(
  row: Readonly<Record<string, unknown>>,
  mapping: CaseMapping,
): { column: string; message: string } | null {
  const isPromptfoo = Object.keys(row).some((column) => PROMPTFOO_COLUMN.test(column));
  for (const [column, cell] of Object.entries(row)) {
    const [text, target] = [String(cell), targetOf(mapping, column)];
    if (target === 'ignore') continue;
    if (isPromptfoo && !PROMPTFOO_COLUMN.test(column) && /^file:\/\/\S+$/.test(text))
      return { column, message: `is ${text}. Hone does not read files. Write the text of the file in the cell` };
    const isInput = target === 'input' || column === 'input' || column === 'messages';
    if (isInput && !isExportedTable(row) && PYTHON_MESSAGES.test(text))
      return { column, message: 'contains messages in the notation of Python. Export the rows as JSONL instead' };
  }
  return null;
}

/** The start of a list of messages as Python prints it, which pandas and Hugging Face write to CSV. */
const PYTHON_MESSAGES = /^\s*(?:\{\s*'messages'\s*:\s*)?\[\s*\{\s*'(?:role|content|from|value|type)'\s*:/;

/** Columns with the accepted answers of a case, such as `answers.text` of SQuAD. */
const ANSWERS = /^(?:.*\.)?(?:answers|correct_answers|answers\.text)$/;

/** Columns with the output of a function, whose only member is the answer. */
const OUTPUTS = /(?:^|\.)(?:outputs?|output\.value)$/;

/**
 * Returns the text of an answer that is a message, and a list of right answers as JSON without repetitions. A single answer is a text. In a
 * table, a message is JSON.
 */
function answersOf([column, value]: Leaf, isTable: boolean): Leaf {
  const text = answerText(
    (isTable || spanIndex(SPAN_OUTPUTS, column) >= 0) && typeof value === 'string' && /^\s*[[{]/.test(value)
      ? parseJsonOrText(value)
      : parsedMessages(column, value),
  );
  if (text !== null) return [column, text];
  const members = isRecord(value) && OUTPUTS.test(column) ? Object.values(value) : [];
  if (members.length === 1 && typeof members[0] === 'string') return [column, members[0]];
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  // Facts of MLflow: an answer needs all of them.
  if (isList && /(?:^|\.)expected_facts$/.test(column)) return [column, value.join('\n')];
  if (!isList || !(ANSWERS.test(column) || (column === 'reference' && value.length > 0))) return [column, value];
  const answers = [...new Set(value)];
  return [column, answers.length === 0 ? null : textOf(answers)];
}

/** Columns that every CSV file of an export has. The others are `criteria` and `metadata.NAME`. */
const EXPORTED_COLUMNS = ['input', 'reference', 'tags'];

function isExportedTable(row: Readonly<Record<string, unknown>>): boolean {
  return (
    EXPORTED_COLUMNS.every((column) => Object.hasOwn(row, column)) &&
    Object.keys(row).every((column) => isOwnColumn(column, true))
  );
}

/** Returns the texts of a row that Hone exported, without the apostrophes of its cells. An empty cell is null, except an empty input. */
function exportedTexts(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([column, cell]) => [
      column,
      cell === '' && column !== 'input' ? null : textOfCell(String(cell)),
    ]),
  );
}

/** Maximum depth at which keys of nested objects are matched. */
const MAX_KEY_DEPTH = 3;

/** Returns the columns of a row with their values. An object with mapped keys is replaced by its members, of which null has none. */
function leavesOf(row: Readonly<Record<string, unknown>>, mapping: CaseMapping): Leaf[] {
  const names = Object.keys(mapping);
  const into = (name: string, given: unknown, depth: number): Leaf[] => {
    const value = names.length === 0 ? given : argumentOf(name, given);
    const isSplit =
      depth < MAX_KEY_DEPTH && targetOf(mapping, name) === undefined && names.some((one) => one.startsWith(`${name}.`));
    if (isSplit && value === null) return [];
    return isSplit && isRecord(value)
      ? membersOf(name, value).flatMap(([key, member]) => into(`${name}.${key}`, member, depth + 1))
      : [[name, value]];
  };
  return Object.entries(row).flatMap(([name, value]) => into(name, value, 1));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Returns the input, which may be a list of messages. In a table, the list is JSON. */
function inputOf(given: readonly Leaf[], isTable: boolean): unknown {
  const from = given.map(([column, value]): Leaf => [column, column === 'input' ? value : onlyContent(column, value)]);
  const only = from[0] !== undefined && from.length === 1 ? messagesOf(from[0]) : null;
  if (only !== null) return only;
  const joined = joinedText(from, 'input');
  // An exported input that is a text stays one, also if it is an object with messages.
  const messages = from[0]?.[0] === 'input' ? /^\s*\[\s*\{/ : /^\s*(?:\[\s*\{|\{\s*"messages")/;
  if (!isTable || typeof joined !== 'string' || !messages.test(joined)) return joined;
  const list = unwrapped(parseJsonOrText(joined));
  return isMessageListInText(list) ? list : (messagesOfOther(list) ?? joined);
}

/** Columns with the input of a function, whose only member is the question. */
const INPUTS = /(?:^|\.)(?:inputs?|input\.value)$/;

/** Returns the content of a request to a model, or the only argument of a function. Returns other values unchanged. */
function onlyContent(column: string, value: unknown): unknown {
  const request =
    typeof value === 'string' && /^\s*\{\s*"(?:model|messages)"/.test(value) ? parseJsonOrText(value) : value;
  if (!isRecord(request)) return value;
  const members = isRecord(value) && INPUTS.test(column) ? Object.values(value) : [];
  return contentOfRequest(request) ?? (members.length === 1 ? members[0] : value);
}

/** Returns true for a text that is a list of messages as JSON. */
function isMessagesText(text: string): boolean {
  return /^\s*\[\s*\{/.test(text) && isMessageListInText(parseJsonOrText(text));
}

/** Matches the apostrophes that distinguish a text from messages in an exported table. */
const APOSTROPHES = /^'+/;

/** Returns the cell of a text input in an exported table. An apostrophe keeps a text that looks like messages a text. */
export function inputCell(text: string): string {
  return isMessagesText(text.replace(APOSTROPHES, '')) ? `'${text}` : exactCell(text);
}

/** Returns the input of a cell that `inputCell` wrote. */
function exportedInput(input: unknown): unknown {
  if (typeof input !== 'string' || !APOSTROPHES.test(input)) return input;
  return isMessagesText(input.replace(APOSTROPHES, '')) ? input.slice(1) : input;
}

/**
 * Returns the list of messages of a column, or null. Only in columns that are named like messages, an unknown role or sender is kept, so
 * that it is reported.
 */
function messagesOf([column, value]: Leaf): unknown[] | null {
  const list = unwrapped(parsedMessages(column, value));
  const isList = column === 'input' || column === 'messages' ? isMessageList : isMessageListInText;
  if (isList(list)) return list;
  return messagesOfOther(list) ?? (FINE_TUNING_COLUMNS.includes(column) ? sharedMessages(list) : null);
}

/**
 * Parses a column that holds messages as JSON, such as `gen_ai.input.messages` and the prompt of a result of promptfoo. Returns other
 * values unchanged.
 */
function parsedMessages(column: string, value: unknown): unknown {
  return typeof value === 'string' && /\.messages$|^prompt\.raw$/.test(column) && /^\s*\[/.test(value)
    ? parseJsonOrText(value)
    : value;
}

/**
 * Returns the value of an object that contains only `messages`, as Langfuse and others write it, or of a list that contains only a list of
 * objects, as LangSmith writes it. Returns other values unchanged.
 */
function unwrapped(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 1 && Array.isArray(value[0]) && value[0].every(isRecord))
    return value[0];
  return isRecord(value) && Object.keys(value).length === 1 && Object.hasOwn(value, 'messages')
    ? value.messages
    : value;
}

/** A single column with the part's own name is not converted, so that an invalid value is reported. Other columns are converted to text. */
function joinedText(from: readonly Leaf[], part: 'input' | 'reference'): unknown {
  const [first] = from;
  if (from.length === 1 && first?.[0] === part) return first[1];
  return from
    .map(([, value]) => textOf(value))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Hone's own `tags` column is separated only by semicolons, because a tag may contain a comma. */
function tagsOf(value: unknown, column: string): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const text = textOf(value);
  if (column === 'tags') return splitTags(text);
  const tags = text
    .split([';', '|', ','].find((one) => text.includes(one)) ?? ';')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return SPLIT_COLUMN.test(column) ? tags.map((tag) => SPLIT_NAMES.get(tag.toLowerCase()) ?? tag) : tags;
}

/** Joins tags by semicolons. A tag with a semicolon is quoted like a CSV cell. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => (/;|^"|^$/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(';');
}

const TAG = /\s*(?:"((?:[^"]|"")*)"\s*|([^;]*))(?:;|$)/gy;

function splitTags(text: string): string[] {
  return [...text.matchAll(TAG)].flatMap(([, quoted, bare = '']) => {
    if (quoted !== undefined) return quoted.replaceAll('""', '"');
    return bare.trim() === '' ? [] : bare.trim();
  });
}

const SPLIT_COLUMN = /(?:^|\.)split$/i;
/** Names of splits in other tools. Without them, cases for testing could be assigned to training. */
const SPLIT_NAMES = new Map([
  ...['train', 'training'].map((name) => [name, 'train'] as const),
  ...['validation', 'valid', 'val', 'dev'].map((name) => [name, 'validation'] as const),
  ...['test', 'testing', 'held_out', 'held-out', 'holdout'].map((name) => [name, 'held_out'] as const),
]);
