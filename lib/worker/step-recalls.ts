import { z } from 'zod';
import { LESSON_KINDS, type LessonStatus } from '#lib/core/lesson-kinds.ts';
import type { RecalledText } from '#lib/core/recalled-text.ts';
import { storableJson } from '#lib/database/clean-text.ts';
import type { Database } from '#lib/database/database.ts';
import type { Claim } from '#lib/runs/claim-run.ts';

const lessonsSchema = z.array(
  z.object({ id: z.string(), kind: z.enum(LESSON_KINDS), text: z.string(), score: z.number().nullable() }),
);

/** Keeps what was found for a step before its model is asked; a newer answer for the same step replaces it. Only the run's present worker can. */
export async function saveStepRecall(
  database: Database,
  { runId, claim }: Claim,
  step: number,
  lessons: RecalledText[],
): Promise<void> {
  await database.pool.query({
    name: 'keep-step-recall',
    text: `INSERT INTO step_recalls (run_id, step, lessons) SELECT id, $3, $4 FROM runs WHERE id = $1 AND claim = $2
      ON CONFLICT (run_id, step) DO UPDATE SET lessons = excluded.lessons`,
    values: [runId, claim, step, storableJson(lessons)],
  });
}

/** What was kept for a step; null where nothing was. */
export async function findStepRecall(database: Database, runId: string, step: number): Promise<RecalledText[] | null> {
  const { rows } = await database.pool.query<{ lessons: unknown }>(
    'SELECT lessons FROM step_recalls WHERE run_id = $1 AND step = $2',
    [runId, step],
  );
  return rows[0] === undefined ? null : lessonsSchema.parse(rows[0].lessons);
}

/** Those of the lessons that may still be given: promoted and not merged into another, or on trial and not held by the screening. */
export async function stillGiven(database: Database, ids: string[], onTrial: readonly string[]): Promise<Set<string>> {
  const promoted: LessonStatus = 'promoted';
  const candidate: LessonStatus = 'candidate';
  const found = await database.prisma.lesson.findMany({
    where: {
      id: { in: ids },
      OR: [
        { status: promoted, mergedIntoId: null },
        { id: { in: [...onTrial] }, admission: { not: 'held' }, NOT: { status: candidate, withheld: true } },
      ],
    },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}
