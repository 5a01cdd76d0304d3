import { z } from 'zod';

/** What was, or would be, taken out of a promptfoo configuration. */
export const promptfooImportSchema = z.object({
  datasetId: z.string().nullable().meta({ description: 'Null where nothing was stored.' }),
  experimentId: z.string().nullable(),
  name: z.string(),
  caseCount: z.int(),
  withReference: z.int(),
  withCriteria: z.int().meta({ description: 'Cases that bring criteria of their own.' }),
  inputVariable: z.string().nullable().meta({ description: 'The variable that became the input.' }),
  first: z
    .array(z.object({ input: z.string(), reference: z.string().nullable() }))
    .meta({ description: 'A few cases.' }),
  prompt: z.string().nullable(),
  model: z.string().meta({ description: 'What the drafted experiment would ask.' }),
  criteria: z.array(z.object({ name: z.string(), evaluator: z.string(), description: z.string() })),
  notTaken: z.array(z.string()).meta({ description: 'What of the configuration was not taken, and why.' }),
});

export type PromptfooImport = z.infer<typeof promptfooImportSchema>;
