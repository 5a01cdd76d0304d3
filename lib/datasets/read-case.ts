import type { Case } from '#lib/core/case.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findJsonKey, placeOf } from '#lib/formats/find-json-error.ts';
import type { ImportFault, ImportRepair } from '#lib/formats/import-report.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { caseInputSchema } from './case-input.ts';

/** How keys that are not a case's own are read. */
export type CaseReading = {
  /** The key that is read as `input`; null: the key `input`. */
  inputFrom: string | null;
  referenceFrom: string | null;
  /** Whether keys that a case does not have become its metadata; else they are faults. */
  keepOthers: boolean;
};

const KEYS = ['input', 'reference', 'tags', 'metadata', 'criteria'];

type Row = { line: number; column: number; value: unknown; text: string | null };

/** A case out of one row, or what is wrong with it. `text` is the row as it was written, to say where. */
export function readCase(
  row: Row,
  reading: CaseReading,
): { case: Case; fault: null } | { case: null; fault: ImportFault } {
  const renamed = rename(row.value, reading);
  const parsed = renamed.ok ? parseInput(caseInputSchema, renamed.value) : renamed;
  if (parsed.ok) return { case: parsed.value, fault: null };
  const { message, field } = parsed.problem;
  return { case: null, fault: describe(row, renamed.ok ? renamed.value : row.value, reading, { message, field }) };
}

function rename(value: unknown, reading: CaseReading): Result<unknown> {
  if (!isRecord(value)) return fail('invalid', 'a case must be an object such as `{"input": "…"}`');
  const { inputFrom, referenceFrom, keepOthers } = reading;
  if (inputFrom === null && referenceFrom === null && !keepOthers) return succeed(value);
  const named: [string, unknown][] = [];
  const others: [string, unknown][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (key === inputFrom) named.push(['input', member]);
    else if (key === referenceFrom) named.push(['reference', asText(member)]);
    else if (KEYS.includes(key) && !(key === 'input' && inputFrom !== null && inputFrom in value))
      named.push([key, member]);
    else if (keepOthers) {
      if (member !== null) others.push([key, member]);
    } else named.push([key, member]);
  }
  const whole: Record<string, unknown> = Object.fromEntries(named);
  const metadata = isRecord(whole.metadata) ? whole.metadata : {};
  return succeed(others.length === 0 ? whole : { ...whole, metadata: { ...Object.fromEntries(others), ...metadata } });
}

/** Right answers are often numbers; `reference` itself stays strict. */
function asText(member: unknown): unknown {
  return typeof member === 'number' || typeof member === 'boolean' ? String(member) : member;
}

function describe(
  row: Row,
  value: unknown,
  reading: CaseReading,
  problem: { message: string; field: string | null },
): ImportFault {
  const whole = { line: row.line, column: row.column > 1 ? row.column : null, length: null, mend: null };
  if (!isRecord(value)) return { ...whole, message: problem.message };
  const keys = Object.keys(value);
  const strange = keys.filter((key) => !KEYS.includes(key));
  const place = (key: string | undefined) =>
    key === undefined ? whole : { ...whole, ...placeOfKey(row, keyAsWritten(row.value, key, reading)) };
  if (!keys.includes('input')) {
    const named = keys.map((key) => `\`${key}\``).join(', ');
    const message = `no \`input\`; ${keys.length === 0 ? 'there is no key' : `the keys are ${named}`}`;
    const key = strange.find((name) => typeof value[name] === 'string' && value[name] !== '');
    const mend: ImportRepair | null =
      key === undefined ? null : { kind: 'read_as', label: `Read “${key}” as input`, key, as: 'input' };
    return { ...place(key), message, mend };
  }
  const [first] = strange;
  if (first !== undefined && problem.field === first) {
    const message = `\`${first}\` is no key of a case; they are input, reference, tags, metadata and criteria`;
    const isAnswer = reading.referenceFrom === null && ANSWERS.test(first) && !value.reference;
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
  const whole = { line: row.line, column: row.column > 1 ? row.column : null, length: null, mend: null };
  return { ...whole, ...placeOfKey(row, 'criteria'), message: `criteria.${message}` };
}

/** Which key of a row was read as this one of a case. */
function keyAsWritten(value: unknown, key: string, { inputFrom, referenceFrom }: CaseReading): string {
  const from = key === 'input' ? inputFrom : key === 'reference' ? referenceFrom : null;
  return from !== null && isRecord(value) && from in value ? from : key;
}

/** Where a key stands in its file; nothing where the row has no text, or no such key. */
function placeOfKey(
  { line, column, text }: Row,
  key: string,
): Partial<Pick<ImportFault, 'line' | 'column' | 'length'>> {
  const found = text === null ? null : findJsonKey(text, key);
  return text === null || found === null ? {} : { ...placeOf(text, found.at, line, column), length: found.length };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
