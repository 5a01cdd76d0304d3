import type { Case } from '#lib/core/case.ts';
import { isRecord } from '#lib/core/is-record.ts';
import { ownValue, parseJson } from '#lib/core/json-values.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import { type InlineFile, isDataUrl, readDataUrl } from '#lib/files/data-url.ts';
import { formatNumberOf } from '#lib/format.ts';
import type { ImportFault, ImportRepair } from '#lib/formats/import-report.ts';
import { findJsonKey, findJsonLoss, positionAt, repairJson } from '#lib/formats/json-errors.ts';
import { readCsvRecords } from '#lib/formats/read-csv-records.ts';
import { readJsonItems } from '#lib/formats/read-json-items.ts';
import { readLines, readText } from '#lib/formats/read-lines.ts';
import { MAX_DEPTH, parseInput } from '#lib/input/parse-input.ts';
import { isMessageList, newCaseSchema, OTHER_ROLES } from './case-input.ts';
import { type CaseReading, findUnreadableCell, mapRow } from './case-mapping.ts';
import type { CaseMapping } from './case-mapping-schema.ts';
import { findCaseList, rowsOfDataFrame } from './find-case-list.ts';
import { isOwnColumn, targetOf } from './mapped-columns.ts';
import { isInputName } from './suggest-mapping.ts';
import { textOf } from './text-of.ts';
import { rowsOfTrace } from './trace-rows.ts';

export type CaseFormat = 'jsonl' | 'csv' | 'json';

/**
 * An entry of an upload: an unvalidated value with the position of its text, a member next to the list of cases (`name`), or a fault. A
 * value of a table contains its cells by column name and has no text.
 */
export type CaseRow =
  | { kind: 'value'; line: number; column: number; value: unknown; text: string | null }
  | { kind: 'member'; name: string; value: unknown }
  | { kind: 'fault'; fault: ImportFault };

/** Maximum size of an upload in bytes. */
export const UPLOAD_LIMIT_BYTES = 50_000_000;
/** Maximum characters of one line, row or entry. */
const LIMIT_CHARACTERS = 2_000_000;
const LIMITS = { limitBytes: UPLOAD_LIMIT_BYTES, limitCharacters: LIMIT_CHARACTERS };

/**
 * Streams the rows of an upload, each with the line it begins on. Ends at the first problem. Nothing is buffered. `mapping`: known targets
 * of the columns.
 */
export function readCaseRows(
  format: CaseFormat,
  bytes: AsyncIterable<Uint8Array>,
  mapping: CaseMapping = {},
): AsyncGenerator<Result<CaseRow>> {
  switch (format) {
    case 'jsonl':
      return withTraces(fromJsonl(bytes, mapping));
    case 'csv':
      return fromCsv(bytes);
    case 'json':
      return withTraces(fromJson(bytes));
  }
}

const NO_INPUTS_IN_TRACES =
  'no root span of these traces has an input. Switch on the recording of inputs and outputs in your instrumentation';

/** Replaces each exported trace by its root spans. A file with only traces without inputs is faulty. */
async function* withTraces(rows: AsyncGenerator<Result<CaseRow>>): AsyncGenerator<Result<CaseRow>> {
  let withoutInput: number | null = null;
  let hasRows = false;
  for await (const read of rows) {
    const traced =
      read.ok && read.value.kind === 'value' && isRecord(read.value.value) ? rowsOfTrace(read.value.value) : null;
    hasRows ||= traced === null || traced.length > 0;
    if (traced === null || !read.ok || read.value.kind !== 'value') yield read;
    else if (traced.length === 0) withoutInput ??= read.value.line;
    else for (const value of traced) yield succeed({ ...read.value, value, text: '' });
  }
  if (withoutInput !== null && !hasRows)
    yield succeed({ kind: 'fault', fault: wholeLineFault(withoutInput, NO_INPUTS_IN_TRACES) });
}

async function* fromJsonl(bytes: AsyncIterable<Uint8Array>, mapping: CaseMapping): AsyncGenerator<Result<CaseRow>> {
  // The first row waits until it is known not to be the only one.
  let only: CaseRow | null = null;
  let isFirst = true;
  for await (const read of readLines(bytes, LIMITS)) {
    if (!read.ok) return yield read;
    const { line, text } = read.value;
    if (text.trim() === '') continue;
    const row = parsed(text, line, 1);
    if (isFirst) {
      only = row;
      isFirst = false;
      continue;
    }
    if (only !== null) yield succeed(only);
    only = null;
    yield succeed(row);
  }
  if (only !== null) yield* fromOneObject(only, mapping);
}

/**
 * Yields the rows of a file of one object: those of a table of pandas or of the only list of another tool, a fault if it holds several
 * lists, or `other`.
 */
function* fromOneObject(row: CaseRow, mapping: CaseMapping, other = row): Generator<Result<CaseRow>> {
  if (row.kind !== 'value' || !isRecord(row.value)) return yield succeed(row);
  if (rowsOfTrace(row.value) !== null) return yield succeed(row);
  const list = caseListOf(row.value, mapping);
  const rows = rowsOfDataFrame(row.value) ?? (list?.isOnly ? list.cases : null);
  if (rows !== null)
    // The cells of a row are not at one place of the text, so its number is its line.
    for (const [index, value] of rows.entries())
      yield succeed({ kind: 'value', line: index + 1, column: 1, value, text: '' });
  else if (list === null) yield succeed(other);
  else {
    const message = `this object holds its cases as \`${list.path}\`. Import only that list, or rename it to \`cases\``;
    yield succeed({ kind: 'fault', fault: { line: row.line, column: 1, length: 1, message, mend: null } });
  }
}

/** Returns the list of cases in an object without an input, by name or mapping, or null. */
function caseListOf(value: Record<string, unknown>, mapping: CaseMapping): ReturnType<typeof findCaseList> {
  const inputs = Object.keys(mapping).filter((column) => targetOf(mapping, column) === 'input');
  const isInput = (name: string) =>
    isInputName(name) || inputs.some((column) => column === name || column.startsWith(`${name}.`));
  return Object.keys(value).some(isInput) ? null : findCaseList(value);
}

async function* fromJson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  const wanted = 'a list of cases, or an object that holds one';
  const tooLong = ' Upload large files with POST /api/v1/files.';
  const limits = { limitCharacters: LIMIT_CHARACTERS, limitDepth: MAX_DEPTH, wanted, tooLong };
  const members = new Map<string, unknown>();
  let hasList = false;
  for await (const read of readJsonItems(readText(bytes, UPLOAD_LIMIT_BYTES), 'cases', limits)) {
    if (!read.ok) return yield read;
    const piece = read.value;
    if (piece.kind === 'member') {
      const fault = addMembers(members, piece);
      if (fault?.ok === false) return yield fault;
      if (fault !== null) yield fault;
      continue;
    }
    hasList = true;
    if (piece.kind === 'fault') yield succeed(piece);
    else if (piece.kind === 'item') yield succeed(parsed(piece.text, piece.line, piece.column));
  }
  const value = Object.fromEntries(members);
  if (!hasList && isOfOtherTool(value)) {
    if (members.has('name')) yield succeed({ kind: 'member', name: 'name', value: value.name });
    const message = `this must be ${wanted} as \`cases\``;
    const fault: CaseRow = { kind: 'fault', fault: { line: 1, column: 1, length: 1, message, mend: null } };
    return yield* fromOneObject({ kind: 'value', line: 1, column: 1, value, text: '' }, {}, fault);
  }
  for (const [name, value] of members) yield succeed({ kind: 'member', name, value });
}

/** Returns false for an object with a name and no list of cases, which is a request to create an empty dataset. */
function isOfOtherTool(value: Record<string, unknown>): boolean {
  return Object.hasOwn(value, 'name') ? caseListOf(value, {}) !== null : Object.keys(value).length > 0;
}

type JsonPart = { text: string; line: number; column: number };

/** Adds the members of an object without its list of cases. Returns the fault if they are not readable, otherwise null. */
function addMembers(members: Map<string, unknown>, { text, line, column }: JsonPart): Result<CaseRow> | null {
  const row = parsed(`{${text}}`, line, column - 1);
  if (row.kind !== 'value' || !isRecord(row.value)) return succeed(row);
  if (Object.hasOwn(row.value, 'cases')) return notCases(row.value.cases, { line, column });
  for (const [name, value] of Object.entries(row.value)) members.set(name, value);
  return null;
}

/** The member `cases` is not a list. A text is often a file that was sent as it is. */
function notCases(value: unknown, { line, column }: Omit<JsonPart, 'text'>): Result<never> {
  const remedy =
    typeof value === 'string'
      ? 'It is a text. Send a list of objects, or send the text as the body with the content type of its format'
      : 'Send a list of objects, such as [{"input": "…"}]';
  const at = `line ${line}, column ${column}`;
  return fail('invalid', `${at}: cases must be a list of cases. ${remedy}. Nothing was stored.`, 'cases');
}

/** Returns a fault that affects the whole line. */
export function wholeLineFault(line: number, message: string): ImportFault {
  return { line, column: null, length: null, message, mend: null };
}

function parsed(text: string, line: number, column: number): CaseRow {
  const value = parseJson(text);
  if (value === undefined) {
    return { kind: 'fault', fault: repairJson(text, line, column) ?? wholeLineFault(line, 'this is not JSON') };
  }
  const loss = findJsonLoss(text);
  if (loss === null) return { kind: 'value', line, column, value, text };
  const { at, length, message } = loss;
  return { kind: 'fault', fault: { ...positionAt(text, at, line, column), length, message, mend: null } };
}

/** Maximum number of columns of a CSV file. */
const MAX_COLUMNS = 1_000;

/** The header line names the columns. Repeated names get a number. The caller maps them to parts of a case. */
async function* fromCsv(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Result<CaseRow>> {
  let names: string[] | null = null;
  for await (const read of readCsvRecords(readText(bytes, UPLOAD_LIMIT_BYTES), LIMIT_CHARACTERS)) {
    if (!read.ok) return yield read;
    const { line, cells, fault } = read.value;
    const wrong = (message: string): Result<CaseRow> =>
      succeed({ kind: 'fault', fault: wholeLineFault(line, message) });
    if (fault !== null) {
      yield wrong(fault);
      continue;
    }
    if (names === null) {
      const found = withoutEmptyEnd(cells.map((name) => name.trim()));
      if (found.length > MAX_COLUMNS)
        return yield wrong(`the header has ${found.length} columns, at most ${MAX_COLUMNS} are allowed`);
      names = uniqueNames(found);
      continue;
    }
    if (cells.every((cell) => cell === '')) continue;
    const filled = withoutEmptyEnd(cells, names.length);
    if (filled.length !== names.length) yield wrong(widthProblem(filled.length, names.length));
    else {
      const value = Object.fromEntries(names.map((name, at) => [name, filled[at] ?? '']));
      yield succeed({ kind: 'value', line, column: 1, value, text: null });
    }
  }
}

function widthProblem(columns: number, headed: number): string {
  const hint = headed === 1 ? '. Delete lines above the header' : '';
  return `this row has ${formatNumberOf(columns, 'column')}, but the header has ${headed}${hint}`;
}

/** Numbers the columns with the same name, and several columns without a name. */
function uniqueNames(names: readonly string[]): string[] {
  const isOneUnnamed = names.filter((name) => name === '').length === 1;
  const named = names.map((name, at) => (name !== '' || isOneUnnamed ? name : `column ${at + 1}`));
  const taken = new Set(named);
  const counts = new Map<string, number>();
  return named.map((name) => {
    let number = (counts.get(name) ?? 0) + 1;
    while (number > 1 && taken.has(`${name} ${number}`)) number++;
    counts.set(name, number);
    return number === 1 ? name : `${name} ${number}`;
  });
}

/** Returns the cells without the empty ones that spreadsheets add after the last column. Returns at least `least` cells. */
function withoutEmptyEnd(cells: string[], least = 1): string[] {
  const last = cells.findLastIndex((cell) => cell !== '');
  return cells.slice(0, Math.max(least, last + 1));
}

type Row = Extract<CaseRow, { kind: 'value' }>;

/**
 * Reads a case and its inline files from a row, or returns the fault. `text` is the source of the row, used to locate the fault. It is null
 * for rows of a table.
 */
export function readCase(
  row: Row,
  reading: CaseReading,
): { case: Case; files: InlineFile[]; fault: null } | { case: null; fault: ImportFault } {
  const { value } = row;
  if (!isRecord(value)) return { case: null, fault: { ...wholeOf(row), message: NO_OBJECT } };
  const cell = row.text === null ? findUnreadableCell(value, reading.mapping) : null;
  if (cell !== null) return { case: null, fault: { ...wholeOf(row), message: `\`${cell.column}\` ${cell.message}` } };
  const mapped = mapRow(value, reading, row.text === null);
  const read = Object.hasOwn(mapped.value, 'messages') ? TWO_INPUTS : withMessages(mapped.value);
  const faulty = ({ problem }: { problem: Problem }) => ({
    case: null,
    fault: describe({ ...row, value }, mapped, reading, problem),
  });
  if (!read.ok) return faulty(read);
  const { sent, files, sources } = read.value;
  const parsed = parseInput(newCaseSchema, sent);
  return parsed.ok
    ? { case: parsed.value, files, fault: null }
    : faulty({ problem: problemInFile(parsed.problem, sources) });
}

/** A converted case. `sources`: for each of its messages, its position in the file. */
type Converted = { sent: Record<string, unknown>; files: InlineFile[]; sources: readonly MessageSource[] };

/** Replaces the path of a converted message in a problem by that in the file. */
function problemInFile(problem: Problem, sources: readonly MessageSource[]): Problem {
  const [converted, index, part] = problem.field?.match(/^input\.(\d+)(?:\.content\.(\d+))?/) ?? [];
  const source = sources[Number(index)];
  if (converted === undefined || source === undefined) return problem;
  const path = `input.${source.index}${part === undefined ? '' : `.content.${partIn(source, Number(part))}`}`;
  const { message } = problem;
  return { ...problem, message: message.startsWith(converted) ? path + message.slice(converted.length) : message };
}

/**
 * Converts an input that is a list of messages of another tool (OpenAI, Anthropic, the AI SDK, Langfuse) into Hone's messages. Leaves other
 * inputs unchanged. Roles and parts that Hone names otherwise are translated, and unknown fields are left out. Values that are not messages
 * are unchanged, so that the schema reports them. Images and files that are data URLs become references to stored files, and are returned
 * in `files`. Other URLs are refused, because Hone does not fetch them.
 */
function withMessages(value: Record<string, unknown>): Result<Converted> {
  if (!isMessageList(value.input)) return succeed({ sent: value, files: [], sources: [] });
  const input: unknown[] = [];
  const files: InlineFile[] = [];
  let called: { id: string; tool: string } | null = null;
  const sources = withoutToolParts(value.input);
  for (const [index, { message, ...source }] of sources.entries()) {
    if (!isRecord(message)) {
      input.push(message);
      continue;
    }
    const content = contentOf(message.content);
    if (!content.ok) {
      const at = `input.${source.index}.content.${partIn(source, content.at)}`;
      return fail('invalid', `${at} ${content.message}`, at);
    }
    files.push(...content.files);
    input.push(convertedMessage({ ...message, content: content.value }, index, called));
    called = isRecord(message.function_call) ? { id: `call_${index}`, tool: textOf(message.function_call.name) } : null;
  }
  return succeed({ sent: { ...value, input }, files, sources });
}

/** Converts a message with converted content. `called`: the old function call of the message before it, whose result has no id. */
function convertedMessage(
  message: Record<string, unknown>,
  index: number,
  called: { id: string; tool: string } | null,
): Record<string, unknown> {
  const role = ownValue(OTHER_ROLES, textOf(message.role)) ?? message.role;
  const { content, function_call: call } = message;
  // The call of an OpenAI message from before `tool_calls` has no id.
  const old = isRecord(call) ? [{ id: `call_${index}`, function: call }] : [];
  const toolCalls = callsOf(message.toolCalls ?? message.tool_calls) ?? callsOf(old);
  const tool = message.tool ?? (role === 'tool' ? message.name : undefined);
  const answered = message.role === 'function' && called?.tool === tool ? called?.id : undefined;
  const toolCallId = message.toolCallId ?? message.tool_call_id ?? answered;
  return {
    ...{ role, content },
    ...(toolCalls !== undefined && { toolCalls }),
    ...(typeof tool === 'string' && { tool }),
    ...(typeof toolCallId === 'string' && { toolCallId }),
  };
}

const TWO_INPUTS = fail(
  'invalid',
  'a case has either `input` or `messages`, and this one has both. Empty one of them, or read one as metadata',
  'messages',
);

const NO_OBJECT = 'a case must be an object such as `{"input": "…"}`';

/** The whole row as the place of a fault. */
function wholeOf({ line, column }: Row) {
  return { line, column: column > 1 ? column : null, length: null, mend: null };
}

function describe(
  row: Row & { value: Record<string, unknown> },
  { value, columns }: ReturnType<typeof mapRow>,
  reading: CaseReading,
  problem: { message: string; field: string | null },
): ImportFault {
  const whole = wholeOf(row);
  const positionOf = (key: string | undefined) =>
    key === undefined ? whole : { ...whole, ...positionOfKey(row, columns.get(key) ?? key) };
  if (!columns.has('input')) {
    const keys = Object.keys(row.value);
    if (Array.isArray(row.value.messages) && row.value.messages.length === 0)
      return { ...positionOf('messages'), message: '`messages` is empty' };
    const named = keys.map((key) => `\`${key}\``).join(', ');
    const message = keys.length === 0 ? 'no `input`, and no other keys' : `no \`input\`, only ${named}`;
    const key = keys.find((name) => {
      const [text, target] = [row.value[name], targetOf(reading.mapping, name)];
      return typeof text === 'string' && text !== '' && !isOwnColumn(name, false) && target !== 'reference';
    });
    return { ...positionOf(key), message, mend: key === undefined ? null : readAs(key, 'input') };
  }
  const strange = Object.keys(value).find((key) => !isOwnColumn(key, false));
  if (strange === undefined || problem.field !== strange)
    return { ...positionOf(problem.field?.split('.')[0]), message: problem.message };
  const isAnswer = REFERENCE_NAMES.test(strange) && !columns.has('reference');
  return {
    ...positionOf(strange),
    message: `\`${strange}\` is not a key of a case (input, reference, tags, metadata or criteria)`,
    mend: isAnswer ? readAs(strange, 'reference') : { kind: 'keep_others', label: 'Keep such keys as metadata' },
  };
}

function readAs(key: string, as: 'input' | 'reference'): ImportRepair {
  return { kind: 'read_as', label: `Read “${key}” as ${as}`, key, as };
}

const REFERENCE_NAMES = /^(answer|expected|expected_output|target|label|output|ideal|gold|solution|ground_truth)$/i;

/** Returns a fault in a row's own criteria, with its position. */
export function faultOfCriteria(row: Row, message: string): ImportFault {
  return { ...wholeOf(row), ...positionOfKey(row, 'criteria'), message: `criteria.${message}` };
}

/** Returns the position of a key in the file. Empty if the row has no text or no such key. */
function positionOfKey(
  { line, column, text }: Row,
  key: string,
): Partial<Pick<ImportFault, 'line' | 'column' | 'length'>> {
  const found = text === null ? null : findJsonKey(text, key);
  return text === null || found === null ? {} : { ...positionAt(text, found.at, line, column), length: found.length };
}

/** Position of a message in the file, and of each part of its content. `parts` is null if the content has the same parts as in the file. */
type MessageSource = { index: number; parts: readonly number[] | null };

/** Returns the position in the file of a part of a message's content. */
function partIn({ parts }: MessageSource, at: number): number {
  return parts?.[at] ?? at;
}

/** Types of the parts with tool calls and results of Anthropic and the AI SDK. */
const CALL_PART_TYPES = ['tool_use', 'tool-call'];
const RESULT_PART_TYPES = ['tool_result', 'tool-result'];

type SplitMessage = { message: unknown } & MessageSource;

/** Moves tool calls from the content of a message to its `toolCalls`, and each result to a message of the tool, after the calls. */
function withoutToolParts(list: readonly unknown[]): SplitMessage[] {
  const tools = new Map<string, string>();
  return list.flatMap((message, index): SplitMessage[] => {
    const whole = (one: unknown): SplitMessage => ({ message: one, index, parts: null });
    if (!isRecord(message) || !Array.isArray(message.content)) return [whole(message)];
    const isOneOf = (types: string[]) => (part: unknown) => isRecord(part) && types.includes(textOf(part.type));
    const toolCalls = message.content.filter(isOneOf(CALL_PART_TYPES)).map((part) => ({
      id: textOf(part.toolCallId ?? part.id),
      tool: textOf(part.toolName ?? part.name),
      arguments: textOf(part.input ?? part.args) || '{}',
    }));
    for (const { id, tool } of toolCalls) tools.set(id, tool);
    const results = [...message.content.entries()].flatMap(([at, part]) =>
      isRecord(part) && isOneOf(RESULT_PART_TYPES)(part) ? [{ at, part, ...resultOf(part) }] : [],
    );
    if (toolCalls.length + results.length === 0) return [whole(message)];
    const toolMessages = results.map(({ part, text }) => {
      const toolCallId = textOf(part.toolCallId ?? part.tool_use_id);
      return whole({ role: 'tool', content: text, tool: part.toolName ?? tools.get(toolCallId), toolCallId });
    });
    const files = results.flatMap((one) => one.files.map((file) => ({ at: one.at, file })));
    if (files.length > 0) {
      const content = files.map(({ file }) => file);
      toolMessages.push({ message: { role: 'user', content }, index, parts: files.map(({ at }) => at) });
    }
    const isMoved = isOneOf([...CALL_PART_TYPES, ...RESULT_PART_TYPES]);
    const kept = [...message.content.entries()].filter(([, part]) => !isMoved(part));
    if (toolCalls.length === 0 && kept.length === 0) return toolMessages;
    const rest = { ...message, content: kept.length === 0 ? '' : kept.map(([, part]) => part) };
    const parts = kept.map(([at]) => at);
    // A message with calls has only results of these calls, from tools that the provider ran.
    return toolCalls.length === 0
      ? [...toolMessages, { message: rest, index, parts }]
      : [{ message: { ...rest, toolCalls }, index, parts }, ...toolMessages];
  });
}

/** The text of a result that only has files. */
const FILES_FOLLOW = 'The result is in the next message.';

/**
 * Returns the result of a tool as text, and the files in it, which models only accept in messages of users. The AI SDK writes it as a value
 * with its type (`output`) or as any value (`result`), Anthropic as a text or a list of parts (`content`).
 */
function resultOf({ output, result, content }: Record<string, unknown>): {
  text: string;
  files: Record<string, unknown>[];
} {
  const value = (isRecord(output) && 'value' in output ? output.value : output) ?? result ?? content;
  if (!Array.isArray(value) || !value.every((part) => isRecord(part) && typeof part.type === 'string'))
    return { text: textOf(value), files: [] };
  const parts = value.map((part: Record<string, unknown>) => fileOfMedia(part) ?? part);
  const { files = [], texts = [] } = Object.groupBy(parts, (part) => (urlOf(part) === null ? 'texts' : 'files'));
  if (files.length > 0 && texts.length === 0) return { text: FILES_FOLLOW, files };
  return { text: texts.map((part) => textOf(part.type === 'text' ? part.text : part)).join('\n'), files };
}

/** Returns the file part of a result part of the AI SDK, whose data is plain base64, or null. */
function fileOfMedia({ type, data }: Record<string, unknown>): Record<string, unknown> | null {
  const isMedia = ['media', 'image-data', 'file-data'].includes(textOf(type)) && typeof data === 'string';
  return isMedia ? { type: 'file', data: `data:;base64,${data}` } : null;
}

/** Types of image and file parts of OpenAI, the AI SDK and Anthropic. */
const FILE_PART_TYPES = new Set(['image_url', 'input_image', 'image', 'input_file', 'document', 'input_audio']);

type Content = { ok: true; value: unknown; files: InlineFile[] } | { ok: false; at: number; message: string };

function contentOf(content: unknown): Content {
  if (content === null || content === undefined) return { ok: true, value: '', files: [] };
  if (!Array.isArray(content)) return { ok: true, value: content, files: [] };
  const parts: unknown[] = [];
  const files: InlineFile[] = [];
  for (const [at, part] of content.entries()) {
    const read: ReturnType<typeof readPart> = isRecord(part) ? readPart(part) : { part };
    if ('message' in read) return { ok: false, at, message: read.message };
    if (read.file !== undefined) files.push(read.file);
    parts.push(read.part);
  }
  return { ok: true, value: parts, files };
}

/** Converts a part of a message and its file, or returns the fault. */
function readPart(part: Record<string, unknown>): { part: unknown; file?: InlineFile } | { message: string } {
  const type = textOf(part.type);
  const url = urlOf(part);
  if (url !== null) {
    const read = readDataUrl(url, nameOf(part));
    return read.ok ? { part: read.file.part, file: read.file } : { message: read.message };
  }
  if (type === 'input_audio') return { message: 'is input_audio. Hone cannot store audio' };
  if (FILE_PART_TYPES.has(type)) return { message: `is ${type} ${NO_DATA_URL}` };
  return { part: TEXT_PART_TYPES.has(type) ? { type: 'text', text: textOf(part.text) } : part };
}

const NO_DATA_URL =
  'without a data URL. Hone does not fetch addresses. Write the file as a base64 data URL, or upload it with POST /api/v1/files and write {"type": "file", "file": "ID", "mediaType": "image/png"}';

/** Returns the data URL of an image or file part, or null if it has none. */
function urlOf(part: Record<string, unknown>): string | null {
  if (!FILE_PART_TYPES.has(textOf(part.type)) && part.type !== 'file') return null;
  const { image_url: image, source, file } = part;
  if (isRecord(source) && source.type === 'base64') return `data:;base64,${textOf(source.data)}`;
  const urls = [
    isRecord(image) ? image.url : image,
    ...[part.image, part.data, part.url, part.file_data],
    isRecord(file) ? file.file_data : undefined,
    isRecord(source) ? source.url : undefined,
  ];
  return urls.find(isDataUrl) ?? null;
}

function nameOf(part: Record<string, unknown>): string | null {
  const name = part.filename ?? part.name ?? (isRecord(part.file) ? part.file.filename : undefined);
  return typeof name === 'string' ? name : null;
}

const TEXT_PART_TYPES = new Set(['text', 'input_text', 'output_text']);

function callsOf(calls: unknown): unknown[] | undefined {
  if (!Array.isArray(calls) || calls.length === 0) return undefined;
  return calls.map((call, index) => {
    if (!isRecord(call) || !isRecord(call.function)) return call;
    return {
      id: textOf(call.id) || String(index),
      tool: textOf(call.function.name),
      // Some servers write empty arguments as an empty string.
      arguments: textOf(call.function.arguments) || '{}',
    };
  });
}
