import { z } from 'zod';

const count = z.int().min(0);

/** What is wrong with a line of an import, numbered from 1; `column`, from 1, where it stops being JSON. */
const lineProblemSchema = z.object({
  line: z.int().min(1),
  column: z.int().min(1).nullable(),
  message: z.string(),
});
export type LineProblem = z.infer<typeof lineProblemSchema>;

/** How one history of an import went: each attempt's score (null = unscored) and the attempt, from 1, that solved the case. */
const historySummarySchema = z.object({
  run: z.string(),
  caseId: z.string(),
  /** Of its first attempt. */
  line: z.int().min(1),
  scores: z.array(z.number().min(0).max(1).nullable()),
  solvedAt: z.int().min(1).nullable(),
});
export type HistorySummary = z.infer<typeof historySummarySchema>;

/** A file that imported cases refer to and that is not stored. */
export const missingFileSchema = z.object({
  file: z.string(),
  mediaType: z.string(),
  name: z.string().nullable(),
  runs: count.meta({ description: 'Runs whose case refers to it.' }),
  run: z.string().meta({ description: 'The first of them.' }),
  caseId: z.string(),
  line: z.int().min(1),
});

/** What an import of past runs holds and where it stands; no ids where nothing was stored. */
export const runImportSchema = z.object({
  name: z.string(),
  experimentId: z.guid().nullable(),
  batchId: z.guid().nullable(),
  /** The same content was imported before; the ids are those of then. */
  repeated: z.boolean(),
  runs: count,
  cases: count,
  attempts: count,
  unscored: count,
  lessons: count,
  models: z.array(z.string()),
  /** How many histories attempt 1, 2, … or an earlier one solved. */
  solvedByAttempt: z.array(count),
  /** The first 50. */
  histories: z.array(historySummarySchema),
  missingFiles: z.array(missingFileSchema).meta({
    description: 'The first 100 files that cases refer to and that are not stored. The runs are imported without them.',
  }),
  missingFileCount: count,
  /** The first 20; where there are any, nothing is stored. */
  problems: z.array(lineProblemSchema),
});
export type RunImport = z.infer<typeof runImportSchema>;
