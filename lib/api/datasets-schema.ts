import { z } from 'zod';
import { caseSchema } from '#lib/core/case.ts';
import { SPLITS } from '#lib/core/history.ts';
import { parseJson } from '#lib/core/json-values.ts';
import { cleanText } from '#lib/database/query-values.ts';
import { caseMappingSchema } from '#lib/datasets/case-mapping-schema.ts';
import { DEFAULT_IMPORT_OPTIONS, type ImportOptions } from '#lib/datasets/import-options.ts';
import { datasetRowSchema, datasetVersionSchema } from '#lib/datasets/schema.ts';
import { importReportSchema } from '#lib/formats/import-report.ts';
import { component } from '#lib/http/define-route.ts';
import { count, id, page } from '#lib/http/fields.ts';
import { pagedByNumber, pagedByTime, queryText } from '#lib/http/parameters.ts';

/** Query parameters of the dataset routes, validated by readQuery and shown in the OpenAPI document. */
const text = queryText.max(200, { error: 'must be at most 200 characters' });

export const datasetsQuery = z.strictObject({
  ...pagedByTime,
  search: text
    .transform(cleanText)
    .default('')
    .meta({ description: 'Text to find in the name, or in the input, reference or tags of a case.' }),
});

const datasetRow = component('DatasetListItem', datasetRowSchema);

export const datasetsSchema = component('Datasets', page(datasetRow));

const share = z
  .string({ error: 'must be a number from 0 to 1' })
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, { error: 'must be a number from 0 to 1' })
  .meta({ type: 'number', minimum: 0, maximum: 1 })
  .transform(Number);

const wholeNumber = z
  .string({ error: 'must be a whole number' })
  .regex(/^\d{1,9}$/, { error: 'must be a whole number of at most nine digits' })
  .meta({ type: 'integer', minimum: 0 })
  .transform(Number);

/** Options for reading the cases of an upload. All are optional. */
const reading = {
  mapping: queryText
    .max(6_000, { error: 'must be at most 6,000 characters' })
    .transform((given, context): ImportOptions['mapping'] => {
      if (given === 'suggest') return given;
      const parsed = caseMappingSchema.safeParse(parseJson(given));
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const column = issue?.path[0] === undefined ? '' : `${String(issue.path[0])} `;
      const message = `${column}${issue?.message ?? 'is not valid'}`;
      context.addIssue({ code: 'custom', message: `must be suggest or a JSON object of columns: ${message}` });
      return z.NEVER;
    })
    .optional()
    .meta({
      description:
        'The field that each column or key is imported as. A JSON object such as {"question": "input", "ideal answer": "reference", "options": "choices", "topic": "tags", "id": "ignore", "tone": "variable.tone", "note": "metadata"}. `suggest` uses the mapping of the last import into the dataset. Without one, it matches the column names.',
    }),
  inputFrom: text.optional().meta({ description: 'Name of the key or column that contains the input.' }),
  referenceFrom: text.optional().meta({ description: 'Name of the key or column that contains the reference.' }),
  otherKeys: z.enum(['refuse', 'metadata'], { error: 'must be one of refuse, metadata' }).default('refuse').meta({
    description: '`metadata` stores unknown keys and columns as metadata of the case. `refuse` rejects them.',
  }),
  sameCases: z
    .enum(['keep', 'leave_out'], { error: 'must be one of keep, leave_out' })
    .default('keep')
    .meta({ description: '`leave_out` skips cases that already exist or repeat an earlier line.' }),
  heldOutShare: share
    .optional()
    .meta({ description: 'Share of the cases without a split that Hone holds out, from 0 to 1.' }),
  validationShare: share
    .optional()
    .meta({ description: 'Share of the remaining cases without a split that Hone uses for validation, from 0 to 1.' }),
  seed: wholeNumber.default(0),
  balanceBy: z.enum(['tag', 'nothing'], { error: 'must be one of tag, nothing' }).default('tag').meta({
    description:
      '`tag` applies the shares to each group of cases with the same first tag. `nothing` applies them to all cases together.',
  }),
};

const storing = {
  ...reading,
  wrongLines: z
    .enum(['refuse', 'leave_out'], { error: 'must be one of refuse, leave_out' })
    .default('refuse')
    .meta({ description: '`leave_out` skips invalid lines. Without it, one invalid line cancels the whole import.' }),
  message: queryText
    .max(500, { error: 'must be at most 500 characters' })
    .transform(cleanText)
    .optional()
    .meta({ description: 'Message for the history of the dataset: what changed and why.' }),
};

export const addCasesQuery = z.strictObject(storing);

export const previewQuery = z.strictObject({
  ...reading,
  datasetId: z
    .guid({ error: 'must be an id' })
    .toLowerCase()
    .optional()
    .meta({ description: 'ID of the dataset to add the cases to.' }),
});

/** Returns the options of an import in the form of its use case. */
export function importOptionsOf(query: z.output<typeof addCasesQuery> | z.output<typeof previewQuery>): ImportOptions {
  const { mapping = {}, inputFrom, referenceFrom, heldOutShare, validationShare, seed, balanceBy } = query;
  const isDivided = heldOutShare !== undefined || validationShare !== undefined;
  return {
    ...DEFAULT_IMPORT_OPTIONS,
    mapping:
      mapping === 'suggest'
        ? mapping
        : {
            ...(inputFrom === undefined ? {} : { [inputFrom]: 'input' }),
            ...(referenceFrom === undefined ? {} : { [referenceFrom]: 'reference' }),
            ...mapping,
          },
    keepOthers: query.otherKeys === 'metadata',
    same: query.sameCases,
    division: isDivided
      ? { heldOutShare: heldOutShare ?? 0, validationShare: validationShare ?? 0, seed, balanceBy }
      : null,
    ...('wrongLines' in query ? { wrong: query.wrongLines, message: query.message?.trim() || null } : {}),
  };
}

export const uploadQuery = z.strictObject({
  ...storing,
  name: queryText
    .transform(cleanText)
    .optional()
    .meta({ description: 'Name of the dataset. Required if the body contains no name.' }),
});

export const createdDatasetSchema = component(
  'CreatedDataset',
  z.object({
    id,
    caseCount: count,
    version: count,
    added: count,
    leftOut: z.object({ wrong: count, same: count }),
  }),
);

export const importPreviewSchema = component('ImportPreview', importReportSchema.extend({ caseCount: count }));

const version = wholeNumber
  .refine((number) => number >= 1, { error: 'must be the number of a version' })
  .meta({ type: 'integer', minimum: 1 });

export const datasetQuery = z.strictObject({
  version: version.optional().meta({ description: 'Version of the dataset. Default: the latest.' }),
});

// A copy, because other records contain the case without this name.
const caseShape = component('Case', caseSchema.clone());

export const datasetSchema = component(
  'Dataset',
  datasetRow.extend({ cases: z.array(caseShape).meta({ description: 'The first 200 cases.' }) }),
);

export const casesQuery = z.strictObject({
  ...pagedByNumber,
  version: version.optional(),
  search: text
    .transform(cleanText)
    .default('')
    .meta({ description: 'Text to find in the input, the reference or a tag.' }),
  split: z.enum([...SPLITS, 'undivided'], { error: `must be one of ${SPLITS.join(', ')}, undivided` }).optional(),
  tag: text.transform(cleanText).optional(),
});

export const casePageSchema = component(
  'Cases',
  page(
    caseShape.extend({
      number: count.meta({
        description: 'Permanent number of the case. Hone does not reuse the numbers of removed cases.',
      }),
      since: count.meta({ description: 'The dataset version that last changed the case.' }),
      split: z.enum(SPLITS).nullable(),
    }),
  ).extend({ total: count }),
);

export const datasetVersionsQuery = z.strictObject(pagedByNumber);

export const datasetVersionsSchema = component('DatasetVersions', page(datasetVersionSchema));

export const caseChangesSchema = component(
  'CaseChanges',
  page(z.object({ number: count, before: caseShape.nullable(), after: caseShape.nullable() })),
);

export const datasetExportQuery = z.strictObject({
  format: z.enum(['jsonl', 'csv'], { error: 'must be one of jsonl, csv' }).default('jsonl'),
  version: version.optional(),
});
