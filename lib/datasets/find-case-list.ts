import { isRecord } from '#lib/core/is-record.ts';
import { isInputName } from './suggest-mapping.ts';
import { textOf } from './text-of.ts';

type ObjectWithMembers = Readonly<Record<string, unknown>>;

/** Names under which other tools write a list of cases, next to other members. */
const LIST_NAMES =
  'data samples examples rows records items entries results testCases test_cases test_results goldens questions'.split(
    ' ',
  );

/** Maximum number of objects around a list of cases. */
const MAX_LIST_DEPTH = 3;

/**
 * Finds the list of cases in the object of another tool, such as `samples` or `data.examples`. `isOnly` is false if another list of objects
 * is next to it, which can also be the cases: if only the found list has inputs, it cannot (Inspect: `reductions`).
 */
export function findCaseList(
  value: ObjectWithMembers,
  depth = 1,
): { path: string; cases: readonly unknown[]; isOnly: boolean } | null {
  const lists = Object.values(value).filter(isCaseList);
  for (const name of LIST_NAMES) {
    const cases = value[name];
    if (!isCaseList(cases)) continue;
    const rivals = hasInputs(cases) ? lists.filter(hasInputs) : lists;
    return { path: name, cases, isOnly: rivals.length === 1 };
  }
  if (depth === MAX_LIST_DEPTH) return null;
  for (const outer of LIST_NAMES) {
    const inner = isRecord(value[outer]) ? findCaseList(value[outer], depth + 1) : null;
    if (inner !== null) return { ...inner, path: `${outer}.${inner.path}`, isOnly: inner.isOnly && lists.length === 0 };
  }
  return null;
}

function hasInputs(list: readonly unknown[]): boolean {
  return list.some((one) => isRecord(one) && Object.keys(one).some(isInputName));
}

function isCaseList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some(isRecord);
}

/**
 * Returns the rows of a table that pandas wrote as one object: `{columns, data}` (orient "split"), members by row number (orient "index"),
 * or cells by column and row number (orient "columns", the default). Returns null for other objects.
 */
export function rowsOfDataFrame(value: ObjectWithMembers): Record<string, unknown>[] | null {
  return rowsOfSplit(value) ?? rowsOfIndex(value) ?? rowsOfColumns(value);
}

const SPLIT_KEYS = ['columns', 'index', 'data', 'index_names', 'column_names'];

function rowsOfSplit(value: ObjectWithMembers): Record<string, unknown>[] | null {
  const { columns, data } = value;
  if (!Array.isArray(columns) || !Array.isArray(data)) return null;
  if (!Object.keys(value).every((key) => SPLIT_KEYS.includes(key))) return null;
  const names = columns.map(textOf);
  const isRow = (row: unknown): row is unknown[] => Array.isArray(row) && row.length === names.length;
  return names.length > 0 && data.length > 0 && data.every(isRow) ? data.map((row) => rowOf(names, row)) : null;
}

function rowsOfIndex(value: ObjectWithMembers): Record<string, unknown>[] | null {
  const rows = Object.values(value);
  return hasRowNumbers(value) && rows.every(isRecord) ? rows : null;
}

function rowsOfColumns(value: ObjectWithMembers): Record<string, unknown>[] | null {
  const names = Object.keys(value);
  const columns = Object.values(value);
  const [first] = columns;
  if (!columns.every(isRecord) || !isRecord(first) || !hasRowNumbers(first)) return null;
  const numbers = Object.keys(first);
  const isSame = (column: ObjectWithMembers) =>
    Object.keys(column).length === numbers.length && numbers.every((number) => Object.hasOwn(column, number));
  if (!columns.every(isSame)) return null;
  return numbers.map((number) =>
    rowOf(
      names,
      columns.map((column) => column[number]),
    ),
  );
}

function hasRowNumbers(value: ObjectWithMembers): boolean {
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key));
}

function rowOf(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, at) => [name, values[at]]));
}
