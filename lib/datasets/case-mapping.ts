import { z } from 'zod';
import { isRecord } from '#lib/core/is-record.ts';
import { isMessageList, isMessageListInText } from './case-input.ts';

/** What a column can be read as, besides a variable: `variable.NAME`. */
const COLUMN_TARGETS = ['input', 'reference', 'tags', 'metadata', 'criteria', 'ignore'] as const;
const VARIABLE = /^variable\.[\w-]{1,100}$/;
const MOST_COLUMNS = 200;

/**
 * Says for each column (the header of a table, the key of a JSON object, `a.b` for a key inside of an object) what it is read as.
 * `metadata` keeps it under its own name, `variable.NAME` as metadata that a prompt fills in by `{{metadata.NAME}}`.
 */
export const caseMappingSchema = z
  .record(
    z.string().max(200, { error: 'must name columns of at most 200 characters' }),
    z.string().refine((target) => COLUMN_TARGETS.some((one) => one === target) || VARIABLE.test(target), {
      error: `must be one of ${COLUMN_TARGETS.join(', ')}, or variable.NAME with a name of letters, digits, "-" and "_"`,
    }),
  )
  .refine((mapping) => Object.keys(mapping).length <= MOST_COLUMNS, {
    error: `must map at most ${MOST_COLUMNS} columns`,
  });
export type CaseMapping = z.infer<typeof caseMappingSchema>;

/** How the columns of an import are read. */
export type CaseReading = {
  mapping: CaseMapping;
  /** Whether columns that neither the mapping nor a case knows become metadata; else they are faults. */
  keepOthers: boolean;
};

/** The columns of a case itself, which need no mapping. */
const OWN_COLUMNS: readonly string[] = ['input', 'messages', 'reference', 'tags', 'metadata', 'criteria'];

/** Whether a column is one of a case itself. Only tables have `metadata.NAME`. */
export function isOwnColumn(column: string, isTable: boolean): boolean {
  return OWN_COLUMNS.includes(column) || (isTable && column.startsWith('metadata.'));
}

/** What a column is read as; undefined where the mapping does not name it. */
export function targetOf(mapping: CaseMapping, column: string): string | undefined {
  return Object.hasOwn(mapping, column) ? mapping[column] : undefined;
}

/** The parts of a case before they are checked, and the column that each came from. */
type MappedRow = { value: Record<string, unknown>; columns: ReadonlyMap<string, string> };
type Leaf = [column: string, value: unknown];

/**
 * The parts of a case out of the columns of a row. Several columns of input, or of reference, are joined in their order by a blank line;
 * those of tags are put together. `isTable`: cells are text, and an empty one is nothing.
 */
export function mapRow(
  row: Readonly<Record<string, unknown>>,
  { mapping, keepOthers }: CaseReading,
  isTable: boolean,
): MappedRow {
  const leaves = leavesOf(row, mapping);
  const taken = new Set(leaves.map(([column]) => targetOf(mapping, column)));
  const read = leaves.map(([column, value]) => {
    // A column that is mapped to a part takes the place of the one that is only called so.
    const own = isOwnColumn(column, isTable) && !taken.has(column) ? column.split('.', 1)[0] : undefined;
    return { column, value, target: targetOf(mapping, column) ?? own ?? 'other' };
  });
  const of = (target: string) =>
    read.flatMap((one): Leaf[] => (one.target === target ? [[one.column, one.value]] : []));
  const isThere = ([, value]: Leaf) => value !== null && !(isTable && value === '');

  const whole: Leaf[] = [];
  const columns = new Map<string, string>();
  const put = (part: string, from: Leaf[], value: () => unknown) => {
    if (from[0] === undefined) return;
    columns.set(part, from[0][0]);
    whole.push([part, value()]);
  };
  const [input, reference, tags, criteria] = [of('input'), of('reference'), of('tags'), of('criteria')];
  const messages = of('messages').filter(([column, value]) => isThere([column, value]) && !isEmptyList(value));
  const hasInput = input.some(([, value]) => value !== null && value !== '');
  if (messages.length > 0)
    put(hasInput ? 'messages' : 'input', messages, () => {
      const value = messages[0]?.[1];
      return isTable ? jsonOf(value) : value;
    });
  if (messages.length === 0 || hasInput) put('input', input, () => inputOf(input, isTable));
  put('reference', reference, () => {
    const filled = reference.filter(isThere);
    return filled.length === 0 ? null : joinedText(filled, 'reference');
  });
  put('tags', tags, () =>
    tags.length === 1 && !isTable && tags[0]?.[0] === 'tags'
      ? tags[0][1]
      : [...new Set(tags.flatMap(([column, value]) => tagsOf(value, column)))],
  );
  put('criteria', isTable ? criteria.filter(isThere) : criteria, () => {
    const value = criteria[0]?.[1];
    return isTable ? jsonOf(value) : value;
  });

  const own = of('metadata').find(([column]) => column === 'metadata' && !isTable)?.[1];
  const others = of('other');
  const named: Leaf[] = [
    ...(keepOthers ? others.filter(isThere) : []),
    ...read.flatMap(({ column, value, target }): Leaf[] => {
      if (target.startsWith('variable.')) return [[target.slice('variable.'.length), value]];
      if (target !== 'metadata' || (column === 'metadata' && !isTable)) return [];
      return [[isTable ? column.replace(/^metadata\./, '') : column, value]];
    }),
  ].filter(isThere);
  if (own !== undefined && !isRecord(own)) whole.push(['metadata', own]);
  else if (own !== undefined || named.length > 0)
    whole.push(['metadata', { ...Object.fromEntries(named), ...(isRecord(own) ? own : {}) }]);
  return { value: Object.fromEntries([...whole, ...(keepOthers ? [] : others)]), columns };
}

/** How deep keys of objects are looked for. */
const DEEPEST = 3;

/** The columns of a row with their values. An object that the mapping looks into comes as its members. */
function leavesOf(row: Readonly<Record<string, unknown>>, mapping: CaseMapping): Leaf[] {
  const names = Object.keys(mapping);
  const into = (name: string, value: unknown, depth: number): Leaf[] =>
    isRecord(value) &&
    depth < DEEPEST &&
    targetOf(mapping, name) === undefined &&
    names.some((one) => one.startsWith(`${name}.`))
      ? Object.entries(value).flatMap(([key, member]) => into(`${name}.${key}`, member, depth + 1))
      : [[name, value]];
  return Object.entries(row).flatMap(([name, value]) => into(name, value, 1));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** An input, which may hold a list of messages; in a table as JSON. */
function inputOf(from: readonly Leaf[], isTable: boolean): unknown {
  const joined = joinedText(from, 'input');
  if (isTable && typeof joined === 'string' && /^\s*\[\s*\{/.test(joined)) {
    const inText = jsonOf(joined);
    return isMessageListInText(inText) ? inText : joined;
  }
  if (isMessageList(joined)) return joined;
  // Langfuse and others wrap the list in an object.
  if (isRecord(joined) && Object.keys(joined).length === 1 && isMessageList(joined.messages)) return joined.messages;
  return joined;
}

/** A column under its own name stays as it is, so that a wrong value is named; others are read as text. */
function joinedText(from: readonly Leaf[], part: 'input' | 'reference'): unknown {
  const [first] = from;
  if (from.length === 1 && first?.[0] === part) return first[1];
  return from
    .map(([, value]) => textOf(value))
    .filter((text) => text !== '')
    .join('\n\n');
}

/** Any value as text; a list of one as that one. Empty for what is nested too deep to be written. */
export function textOf(value: unknown): string {
  let one = value;
  while (Array.isArray(one) && one.length === 1) one = one[0];
  if (typeof one === 'string') return one;
  if (one === null || one === undefined) return '';
  if (typeof one !== 'object') return String(one);
  try {
    return JSON.stringify(one);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

/** Hone's own column of tags is separated by semicolons alone: a tag may hold a comma. */
function tagsOf(value: unknown, column: string): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const text = textOf(value);
  const sign = column === 'tags' ? ';' : ([';', '|', ','].find((one) => text.includes(one)) ?? ';');
  return text
    .split(sign)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** The value of a cell that holds JSON; the text where it does not. */
function jsonOf(cell: unknown): unknown {
  try {
    return JSON.parse(String(cell));
  } catch {
    return cell;
  }
}
