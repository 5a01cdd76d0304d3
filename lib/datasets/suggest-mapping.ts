import { isRecord } from '#lib/core/is-record.ts';
import { type CaseMapping, isOwnColumn, targetOf, textOf } from './case-mapping.ts';

/** A column of an import with the beginnings of a few of its values; `empty`: some rows have nothing in it. */
export type ImportColumn = { name: string; samples: string[]; empty: boolean };

const MOST_COLUMNS = 200;
const MOST_SAMPLES = 3;
const SAMPLE_CHARACTERS = 120;
/** How deep keys of objects count as columns. */
const DEEPEST = 3;

/** The columns of these rows in the order they are met. Members of an object count as columns `a.b`, but for a case's own metadata and criteria. */
export function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): ImportColumn[] {
  const found = new Map<string, { samples: string[]; filled: number }>();
  const meet = (name: string, value: unknown, depth: number): void => {
    if (isRecord(value) && depth < DEEPEST && !isOwnColumn(name, false) && Object.keys(value).length > 0) {
      for (const [key, member] of Object.entries(value)) meet(`${name}.${key}`, member, depth + 1);
      return;
    }
    const column = found.get(name) ?? { samples: [], filled: 0 };
    if (found.size >= MOST_COLUMNS && !found.has(name)) return;
    found.set(name, column);
    const text = textOf(value).trim();
    if (text === '') return;
    column.filled += 1;
    if (column.samples.length < MOST_SAMPLES) column.samples.push(text.slice(0, SAMPLE_CHARACTERS));
  };
  for (const row of rows) for (const [name, value] of Object.entries(row)) meet(name, value, 1);
  return [...found].map(([name, { samples, filled }]) => ({ name, samples, empty: filled < rows.length }));
}

/** Where a mapping comes from: the columns are those of a case, the last import into the dataset, or a guess by their names. */
export type MappingSource = 'own' | 'remembered' | 'suggested';

/** How columns are read where nobody has said so: as the last import into the dataset did where it fits, else by their names. */
export function suggestMapping(
  columns: readonly ImportColumn[],
  remembered: CaseMapping | null,
  isTable: boolean,
): { mapping: CaseMapping; source: MappingSource } {
  if (columns.every(({ name }) => isOwnColumn(name, isTable))) return { mapping: {}, source: 'own' };
  const guessed = guessMapping(columns, isTable);
  const fits = remembered !== null && columns.some(({ name }) => targetOf(remembered, name) === 'input');
  if (!fits) return { mapping: guessed, source: 'suggested' };
  const entries = columns.map(({ name }) => {
    const known = targetOf(remembered, name);
    const target = targetOf(guessed, name) ?? 'metadata';
    // What the last import read as input and reference is not doubled by a guess.
    return [name, known ?? (target === 'input' || target === 'reference' ? 'metadata' : target)] as const;
  });
  return { mapping: Object.fromEntries(entries), source: 'remembered' };
}

/** Names that say what a column is, most telling first. */
const INPUTS = [
  ...[
    'input',
    'question',
    'query',
    'prompt',
    'problem',
    'instruction',
    'user_input',
    'user_message',
    'message',
    'request',
  ],
  ...[
    'utterance',
    'task',
    'text',
    'ticket',
    'email',
    'mail',
    'sentence',
    'content',
    'article',
    'document',
    'body',
    'title',
  ],
];
const REFERENCES = [
  ...[
    'reference',
    'ideal',
    'ideal_answer',
    'expected',
    'expected_output',
    'expected_answer',
    'reference_answer',
    'best_answer',
  ],
  ...[
    'correct_answer',
    'ground_truth',
    'gold',
    'gold_answer',
    'golden_answer',
    'target',
    'answer',
    'solution',
    'label',
  ],
  ...['output', 'completion', 'response', 'answers', 'correct_answers'],
];
/** A column of references that says what of: `expected_category`, `gold_label`. */
const EXPECTED = /^(expected|correct|gold|golden|ideal|target|reference)_/;
const TAGS = [
  'tags',
  'tag',
  'topic',
  'topics',
  'category',
  'categories',
  'subject',
  'labels',
  'split',
  'difficulty',
  'level',
];
const IGNORED = ['', 'index', 'idx', 'row', 'row_number', 'unnamed_0', '_col0'];

function guessMapping(columns: readonly ImportColumn[], isTable: boolean): CaseMapping {
  const reference = best(columns, REFERENCES) ?? columns.find(({ name }) => EXPECTED.test(plain(name)))?.name ?? null;
  const input =
    best(
      columns.filter(({ empty }) => !empty),
      INPUTS,
    ) ??
    best(columns, INPUTS) ??
    longest(columns.filter(({ name }) => name !== reference && !IGNORED.includes(plain(name))));
  return Object.fromEntries(
    columns.map(({ name }): [string, string] => {
      if (name === input) return [name, 'input'];
      if (name === reference) return [name, 'reference'];
      if (isOwnColumn(name, isTable) && !['input', 'reference'].includes(name))
        return [name, name.startsWith('metadata') ? 'metadata' : name];
      if (IGNORED.includes(plain(name))) return [name, 'ignore'];
      if (TAGS.includes(plain(name))) return [name, 'tags'];
      const variable = variableName(name);
      return [name, !isTable && name.includes('.') && variable !== '' ? `variable.${variable}` : 'metadata'];
    }),
  );
}

/** The column whose name comes first in the list; null where none has one of them. */
function best(columns: readonly ImportColumn[], names: readonly string[]): string | null {
  const found = columns
    .map(({ name }) => ({ name, at: names.indexOf(plain(name)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at);
  return found[0]?.name ?? null;
}

/** True if the mapping reads a column as input whose name does not say so: the one with the longest values. */
export function isInputByLength(mapping: CaseMapping): boolean {
  const inputs = Object.keys(mapping).filter((name) => mapping[name] === 'input');
  return inputs.length > 0 && inputs.every((name) => !INPUTS.includes(plain(name)));
}

/** The column with the longest values: mostly what is to be worked on. */
function longest(columns: readonly ImportColumn[]): string | null {
  const length = ({ samples }: ImportColumn) => samples.reduce((sum, sample) => sum + sample.length, 0);
  return columns.toSorted((one, other) => length(other) - length(one))[0]?.name ?? null;
}

/** The last part of a column's name in small letters, with `_` between its words: `Vars.User Message` is `user_message`. */
function plain(name: string): string {
  return variableName(name)
    .toLowerCase()
    .replaceAll('-', '_')
    .replace(/^_+(?=expected$)/, '');
}

/** A name that a prompt can fill in, out of the name of a column. */
export function variableName(column: string): string {
  const last = column.replace(/^.*\.(?=.)/, '');
  return last
    .trim()
    .replaceAll(/[^\w-]+/g, '_')
    .replaceAll(/^_+(?=[a-z])|_+$/gi, '')
    .slice(0, 100);
}
