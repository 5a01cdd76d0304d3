import Papa from 'papaparse';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

type Row = { line: number; value: unknown };

/** Cases out of a JSONL text: one `{input, reference?, tags?, metadata?}` a line. A bad line is named by its number, from 1. */
export function readJsonlCases(text: string): Result<Row[]> {
  const rows: Row[] = [];
  for (const [position, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line.trim() === '') continue;
    try {
      rows.push({ line: position + 1, value: JSON.parse(line) });
    } catch (error) {
      return fail(
        'invalid',
        `line ${position + 1} is not JSON (${error instanceof Error ? error.message : String(error)}). Nothing was stored.`,
        `line ${position + 1}`,
      );
    }
  }
  return succeed(rows);
}

/**
 * Cases out of a CSV text with a head line: the columns `input`, `reference`, `tags` (separated by `;`) and `metadata.name`.
 * Rows are named by the line they begin on, from 1, quoted line ends counted.
 */
export function readCsvCases(text: string): Result<Row[]> {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false });
  const lines = startLines(data);
  const error = errors.find((candidate) => candidate.code !== 'UndetectableDelimiter');
  if (error !== undefined)
    return fail(
      'invalid',
      `line ${lines[error.row ?? 0] ?? 1}: ${error.message}. Nothing was stored.`,
      `line ${lines[error.row ?? 0] ?? 1}`,
    );
  const names = (data[0] ?? []).map((name) => name.trim());
  const unknown = names.find((name) => !/^(input|reference|tags|metadata\..+)$/.test(name));
  if (!names.includes('input'))
    return fail('invalid', 'line 1: the head line must name a column input. Nothing was stored.', 'line 1');
  if (unknown !== undefined)
    return fail(
      'invalid',
      `line 1: unknown column ${JSON.stringify(unknown)}; columns are input, reference, tags and metadata.name. Nothing was stored.`,
      'line 1',
    );
  const twice = names.find((name, position) => names.indexOf(name) < position);
  if (twice !== undefined)
    return fail('invalid', `line 1: the column ${JSON.stringify(twice)} is named twice. Nothing was stored.`, 'line 1');
  const rows: Row[] = [];
  for (const [position, cells] of data.entries()) {
    if (position === 0 || (cells.length === 1 && cells[0]?.trim() === '')) continue;
    const line = lines[position] ?? position + 1;
    if (cells.length !== names.length)
      return fail(
        'invalid',
        `line ${line} has ${cells.length} columns, the head line has ${names.length}. Nothing was stored.`,
        `line ${line}`,
      );
    rows.push({ line, value: caseOf(names, cells) });
  }
  return succeed(rows);
}

function caseOf(names: string[], cells: string[]) {
  const cell = (name: string) => cells[names.indexOf(name)] ?? '';
  const metadata = names.flatMap((name, column) =>
    name.startsWith('metadata.') && cells[column] !== '' ? [[name.slice('metadata.'.length), cells[column]]] : [],
  );
  const tags = cell('tags')
    .split(';')
    .map((tag) => tag.trim());
  return {
    input: cell('input'),
    reference: cell('reference') === '' ? null : cell('reference'),
    tags: tags.filter((tag) => tag !== ''),
    metadata: Object.fromEntries(metadata),
  };
}

/** The line each row begins on: quoted cells may hold line ends. */
function startLines(rows: string[][]): number[] {
  let line = 1;
  return rows.map((cells) => {
    const start = line;
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0);
    return start;
  });
}
