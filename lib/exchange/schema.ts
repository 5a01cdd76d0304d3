import { z } from 'zod';

const count = z.int().min(0);

/** Default minimum score of a solved attempt. */
export const DEFAULT_SOLVED_FROM = 0.8;

/** A problem in a line of an import. Lines are numbered from 1. `column`, from 1, is where it stops being JSON. */
const lineProblemSchema = z.object({
  line: z.int().min(1),
  column: z.int().min(1).nullable(),
  message: z.string(),
});
export type LineProblem = z.infer<typeof lineProblemSchema>;

/** Summary of one imported history: the score of each attempt (null = unscored), and the attempt, from 1, that solved the case. */
const historySummarySchema = z.object({
  run: z.string(),
  caseId: z.string(),
  /** Line of its first attempt. */
  line: z.int().min(1),
  scores: z.array(z.number().min(0).max(1).nullable()),
  solvedAt: z.int().min(1).nullable(),
});
export type HistorySummary = z.infer<typeof historySummarySchema>;

/** A file that imported cases reference but that is not stored. */
export const missingFileSchema = z.object({
  file: z.string(),
  mediaType: z.string(),
  name: z.string().nullable(),
  runs: count.meta({ description: 'Runs whose case refers to it.' }),
  run: z.string().meta({ description: 'The first of them.' }),
  caseId: z.string(),
  line: z.int().min(1),
});

/** Result of importing past runs. The ids are null if nothing was stored. */
export const runImportSchema = z.object({
  name: z.string(),
  experimentId: z.guid().nullable(),
  batchId: z.guid().nullable(),
  /** True if the same content was imported before. The ids are then those of the earlier import. */
  repeated: z.boolean(),
  runs: count,
  cases: count,
  attempts: count,
  unscored: count,
  lessons: count,
  models: z.array(z.string()),
  /** Number of histories solved by attempt 1, 2, … or earlier. */
  solvedByAttempt: z.array(count),
  /** The first 50. */
  histories: z.array(historySummarySchema),
  missingFiles: z.array(missingFileSchema).meta({
    description: 'The first 100 files that cases refer to and that are not stored. The runs are imported without them.',
  }),
  missingFileCount: count,
  /** The first 20 problems. If there are any, nothing is stored. */
  problems: z.array(lineProblemSchema),
});
export type RunImport = z.infer<typeof runImportSchema>;
