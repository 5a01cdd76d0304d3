import { createHash } from 'node:crypto';
import type { Case } from '#lib/core/case.ts';
import { sortedMembers } from '#lib/core/json-values.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Transaction } from '#lib/database/transactions.ts';
import type { InlineFile } from '#lib/files/data-url.ts';
import { TOO_MANY_FILES } from '#lib/files/schema.ts';
import { type FileFacts, fileProblems, markFilesUsed } from '#lib/files/stored-files.ts';
import type { ImportFault, ImportReport } from '#lib/formats/import-report.ts';
import { yieldToOthers } from '#lib/system/concurrency.ts';
import type { CaseReading } from './case-mapping.ts';
import { caseChecker, caseCriteriaChecker } from './check-cases.ts';
import type { ImportOptions } from './import-options.ts';
import { casesWithInputs } from './queries.ts';
import { type CaseRow, faultOfCriteria, readCase, wholeLineFault } from './read-case-rows.ts';

export const MAX_DATASET_CASES = 100_000;
/** Maximum number of rows and faults in a report. */
const MAX_REPORTED_ROWS = 200;
/** Maximum number of rows in an import, including faulty and duplicate rows. */
const MAX_IMPORT_ROWS = 200_000;
const SHOWN_CHARACTERS = 300;
/** Batch limits for checking and storing cases. A batch ends when either limit is reached. */
const PART_CASES = 200;
const PART_CHARACTERS = 200_000;

type Row = ImportReport['rows'][number];
type Candidate = { line: number; case: Case };
/** A row that was read and checked: a case, a fault, or a member next to the list of cases. */
export type CheckedRow = ({ kind: 'case' } & Candidate) | Exclude<CaseRow, { kind: 'value' }>;

export type Gathered = Omit<ImportReport, 'splits' | 'rows' | 'columns' | 'mapping' | 'mappingSource'> & {
  /** The case of each shown row, as an index (from 0) into the cases to store. Null if the row is not stored. */
  rows: { row: Row; index: number | null }[];
  /** The tags of each case to store, in case order. */
  tags: string[][];
  /** Members next to the list of cases. */
  members: Map<string, unknown>;
};

type ImportContext = {
  prisma: Transaction;
  /** The dataset that the cases are added to. Null for a new dataset. */
  datasetId: string | null;
  now: Date;
  /** Number of cases the dataset already has. */
  caseCount: number;
  /** Inline files of a dry run, which are not stored. */
  inline?: ReadonlyMap<string, FileFacts>;
  /** Stores the next cases. Not called in a dry run. */
  store: (cases: Case[]) => Promise<void>;
};

/** Validates each row. Passes the inline files of a valid row to `keep`, which returns false if there are too many. */
export async function* checkedRows(
  rows: AsyncIterable<Result<CaseRow>>,
  reading: CaseReading,
  keep: (file: InlineFile) => Promise<boolean>,
): AsyncGenerator<Result<CheckedRow>> {
  const checkCriteria = caseCriteriaChecker();
  const yielding = yieldToOthers();
  let count = 0;
  for await (const read of rows) {
    if (!read.ok) return yield read;
    await yielding();
    const row = read.value;
    count += 1;
    if (count > MAX_IMPORT_ROWS)
      return yield fail('too_large', 'An import has at most 200,000 rows. Split it into several. Nothing was stored.');
    const checked = row.kind === 'value' ? await checkedCase(row) : succeed(row);
    yield checked;
    if (!checked.ok) return;
  }

  async function checkedCase(row: Extract<CaseRow, { kind: 'value' }>): Promise<Result<CheckedRow>> {
    const taken = readCase(row, reading);
    if (taken.fault !== null) return succeed({ kind: 'fault', fault: taken.fault });
    const found = await checkCriteria(taken.case.criteria);
    if (found !== null)
      return succeed({ kind: 'fault', fault: faultOfCriteria(row, `${found.path} ${found.message}`) });
    const at = `line ${row.line}`;
    for (const file of taken.files)
      if (!(await keep(file))) return fail('too_large', `${at}: ${TOO_MANY_FILES} Nothing was stored.`, at);
    return succeed({ kind: 'case', line: row.line, case: taken.case });
  }
}

/** Consumes checked rows and passes the valid ones on in batches, so that at most one batch is in memory. */
export async function gatherImport(
  rows: AsyncIterable<Result<CheckedRow>>,
  options: ImportOptions,
  { prisma, datasetId, now, caseCount, inline, store }: ImportContext,
): Promise<Result<Gathered>> {
  const checker = caseChecker(prisma, datasetId);
  const seen = new Map<string, number>();
  const found: Omit<Gathered, 'checks'> = {
    ...{ ready: 0, wrong: 0, same: 0, rows: [], faults: [], sameAs: [], tags: [] },
    members: new Map(),
  };
  const show = (row: Row, index: number | null = null) => {
    if (found.rows.length < MAX_REPORTED_ROWS) found.rows.push({ row, index });
  };

  /** Adds a fault to the report, or returns it as the error of the import. */
  function refuse(fault: ImportFault): Result<never> | null {
    if (!options.dryRun && options.wrong === 'refuse') return lineProblem(fault);
    const { line } = fault;
    found.wrong += 1;
    if (found.faults.length < MAX_REPORTED_ROWS) found.faults.push(fault);
    show({ line, state: 'wrong', input: null, reference: null, tags: [], metadata: [], split: null });
    return null;
  }

  /** Returns a function that finds an earlier case of the dataset or of the import. Null for a new case. */
  async function findDuplicates(part: readonly Candidate[]): Promise<(one: Candidate) => string | null> {
    if (options.same === 'keep') return () => null;
    const inputs = part.map((one) => one.case.input);
    const stored = datasetId === null ? [] : await casesWithInputs(prisma, inputs, datasetId);
    const there = new Map(stored.map((one) => [caseFingerprint(one), one.position]));
    return (one) => findDuplicate(one, seen, there);
  }

  /** Counts a case as new, or as the duplicate of another one. */
  function isNew(one: Candidate, as: string | null): boolean {
    if (as === null) {
      found.tags.push(one.case.tags);
      show(rowOf(one, 'ready'), found.ready);
      found.ready += 1;
      return true;
    }
    found.same += 1;
    if (found.sameAs.length < MAX_REPORTED_ROWS) found.sameAs.push({ line: one.line, as });
    show(rowOf(one, 'same'));
    return false;
  }

  async function take(given: readonly Candidate[]): Promise<Result<never> | null> {
    const problems = await fileProblems(prisma, given.map(toCase), inline);
    for (const [index, { line }] of given.entries()) {
      const problem = problems.get(index);
      const refused = problem === undefined ? null : refuse(wholeLineFault(line, `input ${problem}`));
      if (refused !== null) return refused;
    }
    const part = given.filter((_one, index) => !problems.has(index));
    await markFilesUsed(prisma, part.map(toCase), now);
    const duplicateOf = await findDuplicates(part);
    const ready = part.filter((one) => isNew(one, duplicateOf(one)));
    if (caseCount + found.ready > MAX_DATASET_CASES)
      return fail('invalid', 'A dataset can have at most 100,000 cases. Nothing was stored.', 'cases');
    // Only a dry run reports doubtful cases.
    if (options.dryRun) await checker.look(ready);
    else await store(ready.map(toCase));
    return null;
  }

  let part: Candidate[] = [];
  let characters = 0;

  async function takePart(): Promise<Result<never> | null> {
    const full = part;
    part = [];
    characters = 0;
    return full.length === 0 ? null : take(full);
  }

  async function add({ line, case: one }: Candidate): Promise<Result<never> | null> {
    part.push({ line, case: one });
    characters += one.input.length + (one.reference?.length ?? 0);
    return part.length < PART_CASES && characters < PART_CHARACTERS ? null : takePart();
  }

  for await (const read of rows) {
    if (!read.ok) return read;
    const row = read.value;
    if (row.kind === 'member') found.members.set(row.name, row.value);
    else {
      const refused = row.kind === 'fault' ? refuse(row.fault) : await add(row);
      if (refused !== null) return refused;
    }
  }
  const refused = await takePart();
  if (refused !== null) return refused;
  found.rows.sort((one, other) => one.row.line - other.row.line);
  return succeed({ ...found, checks: checker.checks() });
}

/** Returns the first faulty line as an API error. */
export function lineProblem({ line, column, message }: ImportFault): Result<never> {
  const location = column === null ? `line ${line}` : `line ${line}, column ${column}`;
  return fail(
    'invalid',
    `${location}: ${message.replaceAll('`', '"').replace(/\.$/, '')}. Nothing was stored.`,
    `line ${line}`,
  );
}

function toCase(one: Candidate): Case {
  return one.case;
}

function findDuplicate(one: Candidate, seen: Map<string, number>, there: Map<string, number>): string | null {
  const print = caseFingerprint(one.case);
  const position = there.get(print);
  if (position !== undefined) return `case ${position + 1}`;
  const line = seen.get(print);
  if (line !== undefined) return `line ${line}`;
  seen.set(print, one.line);
  return null;
}

function beginningOf(text: string, length = SHOWN_CHARACTERS): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;
}

function rowOf({ line, case: { input, reference, tags, metadata, criteria } }: Candidate, state: Row['state']): Row {
  return {
    line,
    state,
    input: beginningOf(input),
    reference: reference === null ? null : beginningOf(reference),
    tags: tags.slice(0, 10),
    metadata: [...(criteria ? [['criteria', criteria] as const] : []), ...Object.entries(metadata)]
      .slice(0, 5)
      .map(([name, value]) =>
        beginningOf(`${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`, 100),
      ),
    split: null,
  };
}

/** Returns a fingerprint that is equal for duplicate cases: same input, reference, metadata and own criteria. Tags are ignored. */
export function caseFingerprint({ input, messages, reference, metadata, criteria }: Omit<Case, 'tags'>): string {
  const deciding = [input, reference, sortedMembers(metadata), ...(criteria ? [sortedMembers(criteria)] : [])];
  const text = JSON.stringify(messages ? [...deciding, { messages: sortedMembers(messages) }] : deciding);
  return createHash('md5').update(text).digest('base64');
}
