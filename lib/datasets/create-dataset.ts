import { z } from 'zod';
import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseEachInput, parseInput } from '#lib/input/parse-input.ts';
import { refuseFaultyCriteria } from './check-case-criteria.ts';
import { insertDataset } from './insert-dataset.ts';

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
  await inTransaction(context.database, async (client) => {
    await insertDataset(client, { id, name, cases, now: context.now(), actor: actor.name });
    await recordChange(client, actor, {
      act: 'created',
      subject: { kind: 'dataset', id, name },
      change: { cases: cases.length },
    });
  });
  return succeed({ id, caseCount: cases.length });
}
