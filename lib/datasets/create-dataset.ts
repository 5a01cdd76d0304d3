import type pg from 'pg';
import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { Case } from '#lib/core/case.ts';
import { caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/text-values.ts';
import { inPoolTransaction } from '#lib/database/transactions.ts';
import { parseEachInput, parseInput } from '#lib/input/parse-input.ts';
import { insertCases } from './cases.ts';
import { refuseFaultyCriteria } from './check-cases.ts';
import { closeDatasetVersion } from './dataset-versions.ts';

/** Cases written by one statement. */
const CHUNK = 5_000;

type NewDataset = {
  id: string;
  name: string;
  cases: Case[];
  now: Date;
  /** Who made it; null or left out where no person did. */
  actor?: string | null;
  message?: string | null;
};

/** Stores a dataset with its cases as version 1, inside a transaction. */
export async function insertDataset(client: pg.PoolClient, dataset: NewDataset): Promise<void> {
  const { id, name, cases, now, actor = null, message = null } = dataset;
  await client.query('INSERT INTO datasets (id, name, case_count, created_at, updated_at) VALUES ($1, $2, 0, $3, $3)', [
    id,
    name,
    now,
  ]);
  for (let start = 0; start < cases.length; start += CHUNK) {
    const part = cases.slice(start, start + CHUNK);
    await insertCases(client, { datasetId: id, position: start, since: 1, cases: part });
  }
  const change = { datasetId: id, version: 1, added: cases.length, changed: 0, removed: 0, actor, message, now };
  await closeDatasetVersion(client, change);
}

/** One case as it is sent: `input` is what prompts get, `reference` the right answer, for evaluators only. */
export const caseInputSchema = z.strictObject({
  input: z
    .string({ error: 'must be a text' })
    .min(1, { error: 'must not be empty' })
    .max(200_000, { error: 'must be at most 200,000 characters' }),
  reference: z
    .string({ error: 'must be a text or null' })
    .max(200_000, { error: 'must be at most 200,000 characters' })
    .nullable()
    .default(null),
  tags: z.array(z.string().overwrite(visibleName).max(100)).max(50, { error: 'must be at most 50 tags' }).default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
  criteria: caseCriteriaSchema
    .nullable()
    .optional()
    .meta({ description: 'How this case is scored otherwise than the experiment says; null or left out: not at all.' }),
});

export const casesSchema = listOfCases(caseInputSchema);

export const datasetInputSchema = z.strictObject({ name: nameSchema, cases: casesSchema });
/** The same but for the cases, which are checked one by one. */
const outlineSchema = datasetInputSchema.extend({ cases: listOfCases(z.unknown()) });

function listOfCases<Schema extends z.ZodType>(schema: Schema) {
  return z
    .array(schema)
    .min(1, { error: 'must hold at least one case' })
    .max(100_000, { error: 'must hold at most 100,000 cases' });
}

/** Stores a dataset from `{name, cases}`; all of it or nothing. */
export async function createDataset(
  context: AppContext,
  actor: Actor,
  input: unknown,
): Promise<Result<{ id: string; caseCount: number }>> {
  const outline = parseInput(outlineSchema, input);
  if (!outline.ok) return outline;
  const parsed = await parseEachInput(caseInputSchema, outline.value.cases, ['cases']);
  if (!parsed.ok) return parsed;
  const [name, cases] = [outline.value.name, parsed.value];
  const faulty = await refuseFaultyCriteria(cases, (place) => `cases.${place}.criteria`);
  if (faulty !== null) return faulty;
  const id = context.newId();
  await inPoolTransaction(context.database, async (client) => {
    await insertDataset(client, { id, name, cases, now: context.now(), actor: actor.name });
    await recordChange(client, actor, {
      act: 'created',
      subject: { kind: 'dataset', id, name },
      change: { cases: cases.length },
    });
  });
  return succeed({ id, caseCount: cases.length });
}
