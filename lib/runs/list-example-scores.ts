import { z } from 'zod';
import { SPLITS } from '#lib/core/history.ts';
import type { Database } from '#lib/database/database.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { criteriaColumn } from '#lib/datasets/queries.ts';
import { exampleScoreRecordSchema, type ListedTry } from './schema.ts';

export type ExampleScoreFilter = { version?: number | null; cursor: string | null; limit: number };

const row = z.object({
  version: z.int(),
  position: z.int(),
  attempt: z.int(),
  output: z.string(),
  finishReason: z.string(),
  status: z.enum(['scored', 'partial']),
  score: z.number().nullable(),
  criteriaScores: z.record(z.string(), z.number().nullable()),
  satisfactory: z.boolean(),
  issues: exampleScoreRecordSchema.shape.issues,
  suggestions: z.array(z.string()),
  feedback: z.string(),
  detail: z.string(),
  paidBefore: z.boolean(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  durationMs: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
  case: z.object({
    split: z.enum(SPLITS),
    input: z.string(),
    reference: z.string().nullable(),
    tags: z.array(z.string()),
    metadata: z.record(z.string(), z.unknown()),
    criteria: criteriaColumn,
  }),
});

const LIST = `
  SELECT t.version, t.position, t.attempt, t.output, t.finish_reason AS "finishReason", t.status, t.score, t.criteria_scores AS "criteriaScores",
    t.satisfactory, t.issues, t.suggestions, t.feedback, t.detail, t.paid_before AS "paidBefore", t.input_tokens AS "inputTokens", t.output_tokens AS "outputTokens",
    t.cost_usd AS "costUsd", t.duration_ms AS "durationMs", t.created_at AS "createdAt",
    json_build_object('split', CASE WHEN r.redraw->'toTraining' @> to_jsonb(c.position) THEN 'train' WHEN r.redraw->'toValidation' @> to_jsonb(c.position) THEN 'validation' ELSE c.split END, 'input', c.input, 'reference', c.reference, 'tags', c.tags, 'metadata', c.metadata, 'criteria', c.criteria) AS case
  FROM case_tries t JOIN run_cases c ON c.run_id = t.run_id AND c.position = t.position JOIN runs r ON r.id = t.run_id
  WHERE t.run_id = $1 AND ($2::int IS NULL OR t.version = $2)
    AND ($3::int IS NULL OR (t.version, t.position, t.attempt) > ($3, $4::int, $5::int))
  ORDER BY t.version, t.position, t.attempt LIMIT $6`;

/** What a tuning run's prompts made of its cases, by version and case, with each case; every attempt. Other runs have none. */
export async function listExampleScores(
  { pool }: Pick<Database, 'pool'>,
  runId: string,
  filter: ExampleScoreFilter,
): Promise<Page<ListedTry>> {
  const after = readCursor(filter.cursor);
  const { rows } = await pool.query<Record<string, unknown>>(LIST, [
    runId,
    filter.version ?? null,
    ...(after ?? [null, null, null]),
    filter.limit + 1,
  ]);
  const tries = rows.map((found): ListedTry => {
    const { inputTokens, outputTokens, ...rest } = row.parse(found);
    return { ...rest, tokenUsage: { input: inputTokens, output: outputTokens, total: inputTokens + outputTokens } };
  });
  return pageOf(tries, filter.limit, ({ version, position, attempt }) => `${version}_${position}_${attempt}`);
}

/** A cursor over (version, position, attempt); null for what is no such cursor. */
function readCursor(cursor: string | null): [number, number, number] | null {
  const match = cursor?.match(/^(\d{1,6})_(\d{1,6})_(\d{1,6})$/);
  return match === null || match === undefined ? null : [Number(match[1]), Number(match[2]), Number(match[3])];
}
