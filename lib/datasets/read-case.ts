import type { Case } from '#lib/core/case.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import type { InlineFile } from '#lib/files/data-url.ts';
import { findJsonKey, placeOf } from '#lib/formats/find-json-error.ts';
import type { ImportFault, ImportRepair } from '#lib/formats/import-report.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { isMessageList, newCaseSchema } from './case-input.ts';
import { type CaseReading, isRecord, mapRow, targetOf } from './case-mapping.ts';
import { readMessages } from './read-messages.ts';

const KEYS = ['input', 'messages', 'reference', 'tags', 'metadata', 'criteria'];

type Row = { line: number; column: number; value: unknown; text: string | null };

/** Reads a case and its inline files from a row, or returns the fault. `text` is the source of the row, used to locate the fault. Null in a table. */
export function readCase(
  row: Row,
  reading: CaseReading,
): { case: Case; files: InlineFile[]; fault: null } | { case: null; fault: ImportFault } {
  const { value } = row;
  if (!isRecord(value)) return { case: null, fault: { ...wholeOf(row), message: NO_OBJECT } };
  const mapped = mapRow(value, reading, row.text === null);
  const read = Object.hasOwn(mapped.value, 'messages') ? TWO_INPUTS : withMessages(mapped.value);
  const faulty = ({ problem }: { problem: Problem }) => ({
    case: null,
    fault: describe({ ...row, value }, mapped, reading, problem),
  });
  if (!read.ok) return faulty(read);
  const parsed = parseInput(newCaseSchema, read.value.sent);
  return parsed.ok ? { case: parsed.value, files: read.value.files, fault: null } : faulty(parsed);
}

type WithFiles = { sent: Record<string, unknown>; files: InlineFile[] };

/** A case whose input is a list of messages of other tools, with messages as Hone has them. */
function withMessages(value: Record<string, unknown>): Result<WithFiles> {
  if (!isMessageList(value.input)) return succeed({ sent: value, files: [] });
  const read = readMessages(value.input);
  const field = read.ok ? '' : `input.${read.path}`;
  return read.ok
    ? succeed({ sent: { ...value, input: read.messages }, files: read.files })
    : fail('invalid', `${field} ${read.message}`, field);
}

const TWO_INPUTS = fail(
  'invalid',
  'a case has either `input` or `messages`, and this one has both. Empty one of them, or read one as metadata',
  'messages',
);

const NO_OBJECT = 'a case must be an object such as `{"input": "…"}`';

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
  const strange = Object.keys(value).filter((key) => !KEYS.includes(key));
  const place = (key: string | undefined) =>
    key === undefined ? whole : { ...whole, ...placeOfKey(row, columns.get(key) ?? key) };
  if (!columns.has('input')) {
    const keys = Object.keys(row.value);
    const named = keys.map((key) => `\`${key}\``).join(', ');
    const message = keys.length === 0 ? 'no `input`, and no other keys' : `no \`input\`, only ${named}`;
    const key = keys.find((name) => {
      const [text, target] = [row.value[name], targetOf(reading.mapping, name)];
      return typeof text === 'string' && text !== '' && !KEYS.includes(name) && target !== 'reference';
    });
    const mend: ImportRepair | null =
      key === undefined ? null : { kind: 'read_as', label: `Read “${key}” as input`, key, as: 'input' };
    return { ...place(key), message, mend };
  }
  const [first] = strange;
  if (first !== undefined && problem.field === first) {
    const message = `\`${first}\` is not a key of a case (input, reference, tags, metadata or criteria)`;
    const isAnswer = ANSWERS.test(first) && !columns.has('reference');
    return {
      ...place(first),
      message,
      mend: isAnswer
        ? { kind: 'read_as', label: `Read “${first}” as reference`, key: first, as: 'reference' }
        : { kind: 'keep_others', label: 'Keep such keys as metadata' },
    };
  }
  return { ...place(problem.field?.split('.')[0]), message: problem.message };
}

const ANSWERS = /^(answer|expected|expected_output|target|label|output|ideal|gold|solution|ground_truth)$/i;

/** A fault of a row's own criteria, with their place. */
export function faultOfCriteria(row: Row, message: string): ImportFault {
  return { ...wholeOf(row), ...placeOfKey(row, 'criteria'), message: `criteria.${message}` };
}

/** Where a key stands in its file; nothing where the row has no text, or no such key. */
function placeOfKey(
  { line, column, text }: Row,
  key: string,
): Partial<Pick<ImportFault, 'line' | 'column' | 'length'>> {
  const found = text === null ? null : findJsonKey(text, key);
  return text === null || found === null ? {} : { ...placeOf(text, found.at, line, column), length: found.length };
}
