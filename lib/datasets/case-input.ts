import { z } from 'zod';
import { caseCriteriaSchema } from '#lib/core/case-criteria.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { visibleName } from '#lib/core/text-values.ts';

/** One case as it is sent: `input` is what prompts get, `reference` the right answer, for evaluators only. */
export const caseInputSchema = z.strictObject({
  input: z
    .string({ error: 'must be a text' })
    .min(1, { error: 'must not be empty' })
    .max(200_000, { error: 'must be at most 200,000 characters' })
    .meta({ description: 'What prompts get.' }),
  reference: z
    .string({ error: 'must be a text or null' })
    .max(200_000, { error: 'must be at most 200,000 characters' })
    .nullable()
    .default(null)
    .meta({ description: 'The right answer, for evaluators only.' }),
  tags: z
    .array(z.string().overwrite(visibleName).max(100))
    .max(50, { error: 'must be at most 50 tags' })
    .default([])
    .meta({ description: 'Tags. `train`, `validation` and `held_out` are splits.' }),
  metadata: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'Values that prompts fill in with `{{metadata.NAME}}`.' }),
  criteria: caseCriteriaSchema.nullable().optional().meta({
    description: 'How scoring of this case differs from the experiment. Null or left out: it does not differ.',
  }),
});

export const casesSchema = z
  .array(caseInputSchema)
  .min(1, { error: 'must hold at least one case' })
  .max(100_000, { error: 'must hold at most 100,000 cases' });

export const datasetInputSchema = z.strictObject({ name: nameSchema, cases: casesSchema });
