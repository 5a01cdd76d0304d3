import { insertDataset } from '#lib/db/insert-dataset.ts';
import type { Case } from '#lib/reflection/case.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { nameSchema } from '#lib/reflection/setting-parts.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { caseInputSchema } from './create-dataset.ts';
import { parseInput } from './parse-input.ts';
import { readCsvCases, readJsonlCases } from './read-cases.ts';
import type { Workshop } from './workshop.ts';

export type DatasetText = { name: string; format: 'jsonl' | 'csv'; text: string };

/** Stores a dataset from JSONL or CSV. The first bad line is named by number, and then nothing is stored. */
export async function createDatasetFromText(
  workshop: Workshop,
  actor: Actor,
  source: DatasetText,
): Promise<Result<{ id: string; caseCount: number }>> {
  const name = nameSchema.safeParse(source.name);
  if (!name.success) return fail('invalid', `name ${name.error.issues[0]?.message ?? 'is not valid'}`, 'name');
  const rows = source.format === 'csv' ? readCsvCases(source.text) : readJsonlCases(source.text);
  if (!rows.ok) return rows;
  const cases: Case[] = [];
  for (const { line, value } of rows.value) {
    const parsed = parseInput(caseInputSchema, value);
    if (!parsed.ok)
      return fail('invalid', `line ${line}: ${parsed.problem.message}. Nothing was stored.`, `line ${line}`);
    cases.push(parsed.value);
  }
  if (cases.length === 0) return fail('invalid', 'There is no case in it. Nothing was stored.', 'cases');
  if (cases.length > 100_000)
    return fail('invalid', 'A dataset holds at most 100,000 cases. Nothing was stored.', 'cases');
  const id = workshop.newId();
  await insertDataset(workshop.database, { id, name: name.data, cases, now: workshop.now(), actor: actor.name });
  return succeed({ id, caseCount: cases.length });
}
