import { z } from 'zod';
import type { LessonOrigin, LessonSource } from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';

/** Of a case's input and a version's output this many characters are shown with a lesson. */
const SHOWN_LENGTH = 2_000;

const FIND = `
  SELECT r.id AS "runId", r.number AS "runNumber", r.experiment_id AS "experimentId", x.name AS "experimentName", v.number AS version,
    v.iteration, left(r.input, ${SHOWN_LENGTH}) AS input, left(v.output, ${SHOWN_LENGTH}) AS output, e.score, e.issues, e.reasons, e.feedback
  FROM runs r
  JOIN experiments x ON x.id = r.experiment_id
  LEFT JOIN reflection_versions v ON v.run_id = r.id AND v.number = $2
  LEFT JOIN LATERAL (
    SELECT CASE WHEN status = 'scored' THEN overall_score END AS score, issues, reasons, feedback
    FROM evaluations WHERE run_id = r.id AND version = v.number ORDER BY (by = 'person') DESC, ordinal DESC LIMIT 1) e ON true
  WHERE r.id = $1`;

const originRow = z.object({
  runId: z.string(),
  runNumber: z.int(),
  experimentId: z.string(),
  experimentName: z.string(),
  version: z.int().nullable(),
  iteration: z.int().nullable(),
  input: z.string(),
  output: z.string().nullable(),
  score: z.number().nullable(),
  issues: z
    .array(z.object({ text: z.string(), criterion: z.string().nullable() }))
    .nullable()
    .transform((issues) => issues ?? []),
  reasons: z
    .record(z.string(), z.string())
    .nullable()
    .transform((reasons) => reasons ?? {}),
  feedback: z.string().nullable(),
});

/** The run and version a lesson was learned from, with its last evaluation; null where there is none, or none any more. */
export async function findLessonOrigin(
  { pool }: Pick<Database, 'pool'>,
  source: LessonSource,
): Promise<LessonOrigin | null> {
  if (source.runId === null) return null;
  const { rows } = await pool.query<Record<string, unknown>>(FIND, [source.runId, source.version]);
  return rows[0] === undefined ? null : originRow.parse(rows[0]);
}
