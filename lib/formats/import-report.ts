import { z } from 'zod';
import { SPLITS } from '#lib/core/history.ts';

const line = z.int().min(1);

/** A one-click fix for a fault: an edit of the text, or another way to read all of it. */
const repairSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('edit'),
    label: z.string(),
    line,
    column: z.int().min(1),
    remove: z.int().min(0).meta({ description: 'Number of characters to remove at this position.' }),
    insert: z.string(),
  }),
  z.object({
    kind: z.literal('read_as'),
    label: z.string(),
    key: z.string(),
    as: z.enum(['input', 'reference']),
  }),
  z.object({ kind: z.literal('keep_others'), label: z.string() }),
]);

/** A fault in a line. `column` counts from 1, `length` is in characters. Both are null if the whole line is affected. */
const importFaultSchema = z.object({
  line,
  column: z.int().min(1).nullable(),
  length: z.int().min(1).nullable(),
  message: z.string().meta({ description: 'Names of keys, and pieces of the text, are in backticks.' }),
  mend: repairSchema.nullable(),
});

const splitCounts = z.object({ train: z.int(), validation: z.int(), held_out: z.int(), undivided: z.int() });

const rowSchema = z.object({
  line,
  state: z.enum(['ready', 'wrong', 'same']),
  input: z.string().nullable().meta({ description: 'The first 300 characters, then `…` if there are more.' }),
  reference: z.string().nullable(),
  tags: z.array(z.string()),
  metadata: z.array(z.string()).meta({ description: 'As `plan = pro`.' }),
  split: z.enum(SPLITS).nullable(),
});

/** Preview of an import. Lists contain only the first entries, counts are complete. */
export const importReportSchema = z.object({
  ready: z.int(),
  wrong: z.int(),
  same: z.int().meta({ description: 'Cases that already exist, or that repeat an earlier line.' }),
  rows: z.array(rowSchema),
  faults: z.array(importFaultSchema),
  sameAs: z.array(z.object({ line, as: z.string() })),
  splits: z.object({ before: splitCounts, after: splitCounts }),
  columns: z
    .array(z.object({ name: z.string(), samples: z.array(z.string()) }))
    .meta({ description: 'The columns or keys of the first rows, with the beginnings of a few values.' }),
  mapping: z
    .record(z.string(), z.string())
    .meta({ description: 'What each column is imported as. Empty: by its name.' }),
  mappingSource: z.enum(['given', 'own', 'remembered', 'suggested']).meta({
    description:
      '`given`: the mapping of the request. `own`: the column names need no mapping. `remembered`: the mapping of the last import into the dataset. `suggested`: guessed from the columns.',
  }),
  checks: z.object({
    noReference: z.int(),
    leaks: z.object({ count: z.int(), lines: z.array(line), datasets: z.array(z.string()) }),
    answersInside: z.object({ count: z.int(), lines: z.array(line) }),
    tooManyAnswers: z
      .object({ count: z.int(), lines: z.array(line) })
      .optional()
      .meta({ description: 'References with more right answers than an output is compared with.' }),
    secrets: z.object({
      count: z.int(),
      lines: z.array(line),
      kinds: z.array(z.string()),
      looked: z.int().meta({ description: 'How many cases were looked through.' }),
    }),
  }),
});

export type ImportRepair = z.infer<typeof repairSchema>;
export type ImportFault = z.infer<typeof importFaultSchema>;
export type ImportReport = z.infer<typeof importReportSchema>;
export type ImportRow = z.infer<typeof rowSchema>;
export type SplitCounts = z.infer<typeof splitCounts>;
