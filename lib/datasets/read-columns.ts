import type { Result } from '#lib/core/problem.ts';
import { type CaseMapping, isRecord } from './case-mapping.ts';
import type { ImportOptions } from './import-options.ts';
import type { CaseRow } from './read-case-rows.ts';
import { columnsOf, type ImportColumn, type MappingSource, suggestMapping } from './suggest-mapping.ts';

/** Rows that say which columns there are: whichever is reached first. */
const FIRST_ROWS = 50;
const FIRST_CHARACTERS = 1_000_000;

/** The columns of an import, what each is read as, and all of its rows. */
export type ReadColumns = {
  columns: ImportColumn[];
  mapping: CaseMapping;
  source: MappingSource | 'given';
  rows: AsyncIterable<Result<CaseRow>>;
};

/** Looks at the first rows for their columns, and says what each is read as: as asked, or as `suggestMapping` has it. No row is lost. */
export async function readColumns(
  rows: AsyncGenerator<Result<CaseRow>>,
  asked: ImportOptions['mapping'],
  remembered: CaseMapping | null,
): Promise<ReadColumns> {
  const first: Result<CaseRow>[] = [];
  const values: Record<string, unknown>[] = [];
  let isTable = false;
  let characters = 0;
  let isDone = false;
  while (values.length < FIRST_ROWS && characters < FIRST_CHARACTERS && first.length < 10 * FIRST_ROWS) {
    const next = await rows.next();
    isDone = next.done === true;
    if (next.done) break;
    first.push(next.value);
    if (!next.value.ok || next.value.value.kind !== 'value' || !isRecord(next.value.value.value)) continue;
    const { value, text } = next.value.value;
    isTable = text === null;
    values.push(value);
    characters += text?.length ?? JSON.stringify(value).length;
  }
  async function* all() {
    yield* first;
    if (!isDone) yield* rows;
  }
  const columns = columnsOf(values);
  const chosen =
    asked === 'suggest' ? suggestMapping(columns, remembered, isTable) : { mapping: asked, source: 'given' as const };
  return { columns, ...chosen, rows: all() };
}
