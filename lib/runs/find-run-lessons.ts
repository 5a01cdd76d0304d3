import { z } from 'zod';
import { LESSON_KINDS, LESSON_STATUSES } from '#lib/core/lesson-kinds.ts';
import { LESSON_ADMISSIONS } from '#lib/core/lesson-library.ts';
import type { Database } from '#lib/database/database.ts';
import { recalledTexts } from '#lib/lessons/recalled-texts.ts';
import type { RunLessons } from './run-lessons.ts';

const written = z.object({
  id: z.string(),
  kind: z.enum(LESSON_KINDS),
  status: z.enum(LESSON_STATUSES),
  admission: z.enum(LESSON_ADMISSIONS),
  mergedIntoId: z.string().nullable(),
  version: z.int().nullable(),
  text: z.string(),
});

// One that was screened when it was written is held at once, before the worker has seen to it.
const WRITTEN = `
  SELECT id, kind, status, merged_into_id AS "mergedIntoId", version, text,
    CASE WHEN withheld AND status = 'candidate' AND admission = 'waiting' THEN 'held' ELSE admission END AS admission
  FROM lessons WHERE run_id = $1 ORDER BY version, created_at, id`;

/** The lessons in the prompts of a run's versions, and those it wrote, as they stand now; empty where there is no such run. */
export async function findRunLessons(database: Database, runId: string): Promise<RunLessons> {
  const [recalled, { rows }] = await Promise.all([
    recalledTexts(database, runId),
    database.pool.query<Record<string, unknown>>(WRITTEN, [runId]),
  ]);
  return { recalled, written: z.array(written).parse(rows) };
}
