import { z } from 'zod';

const count = z.int().min(0);
const time = z.iso.datetime();

/** A dataset as shown in lists. */
export const datasetRowSchema = z.object({
  id: z.guid(),
  name: z.string(),
  caseCount: count,
  latestVersion: count,
  train: count.meta({
    description: 'Cases with the tag `train`. Cases without any of the three tags belong to no split.',
  }),
  validation: count,
  heldOut: count,
  withReference: count,
  createdAt: time,
  updatedAt: time,
});
export type DatasetRow = z.infer<typeof datasetRowSchema>;

/** The result of changing a dataset. */
export const changedDatasetSchema = z.object({
  version: count,
  caseCount: count,
  added: count,
  changed: count,
  removed: count,
});
export type ChangedDataset = z.infer<typeof changedDatasetSchema>;

/** One version of a dataset, with its author. */
export const datasetVersionSchema = changedDatasetSchema.extend({
  actor: z.string().nullable(),
  message: z.string().nullable(),
  createdAt: time,
});
export type DatasetVersionRow = z.infer<typeof datasetVersionSchema>;

/** Number of cases assigned to each split of a dataset. */
export const dividedDatasetSchema = z.object({ version: count, train: count, validation: count, heldOut: count });
export type DividedDataset = z.infer<typeof dividedDatasetSchema>;

/** The parts imported from a promptfoo configuration, or that an import would create. */
export const promptfooImportSchema = z.object({
  datasetId: z.string().nullable().meta({ description: 'Null if nothing was stored.' }),
  experimentId: z.string().nullable(),
  name: z.string(),
  caseCount: z.int(),
  withReference: z.int(),
  withCriteria: z.int().meta({ description: 'Number of cases that change the criteria.' }),
  inputVariable: z.string().nullable().meta({ description: 'The variable that became the input.' }),
  first: z
    .array(z.object({ input: z.string(), reference: z.string().nullable() }))
    .meta({ description: 'A few cases.' }),
  prompt: z.string().nullable(),
  model: z.string().meta({ description: 'Models of the drafted experiment.' }),
  criteria: z.array(z.object({ name: z.string(), evaluator: z.string(), description: z.string() })),
  notTaken: z.array(z.string()).meta({ description: 'Parts of the configuration that were not imported, and why.' }),
});

export type PromptfooImport = z.infer<typeof promptfooImportSchema>;
