import { z } from 'zod';
import type { Database, Queryable } from '#lib/database/database.ts';
import type { PairedLift } from '#lib/statistics/paired-lift.ts';
import { reportTrial, type TrialReport } from '#lib/statistics/trial-report.ts';

const runSchema = z.object({
  id: z.string(),
  hasLesson: z.boolean(),
  key: z.string(),
  case: z.string(),
  isEnded: z.boolean(),
  firstScore: z.number().nullable(),
  bestScore: z.number().nullable(),
});
const trialRow = z.object({
  id: z.string(),
  lessonId: z.string(),
  experimentId: z.string(),
  experimentName: z.string(),
  batchWithoutId: z.string(),
  batchWithId: z.string(),
  requestedBy: z.string(),
  createdAt: z.date().transform((value) => value.toISOString()),
  runs: z.array(runSchema).nullable(),
});

// A case is told by its whole input; the sides' runs stand in the order of the cases. One that failed or was stopped came to no result.
const COLUMNS = `t.id, t.lesson_id AS "lessonId", t.experiment_id AS "experimentId", e.name AS "experimentName", t.batch_without_id AS "batchWithoutId",
  t.batch_with_id AS "batchWithId", t.requested_by AS "requestedBy", t.created_at AS "createdAt",
  (SELECT json_agg(json_build_object('id', r.id, 'hasLesson', r.batch_id = t.batch_with_id, 'key', md5(r.input), 'case', left(r.input, 200),
      'isEnded', r.finished_at IS NOT NULL, 'firstScore', r.first_score, 'bestScore', CASE WHEN r.status = 'finished' THEN r.best_score END) ORDER BY r.position, r.batch_id)
    FROM runs r WHERE r.batch_id IN (t.batch_without_id, t.batch_with_id)) AS runs`;

/** The trials of a lesson, the newest first; those whose experiment was deleted are gone. */
export async function findTrials(database: Database, lessonId: string): Promise<TrialReport[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `SELECT ${COLUMNS} FROM lesson_trials t JOIN experiments e ON e.id = t.experiment_id
     WHERE t.lesson_id = $1 ORDER BY t.created_at DESC, t.id LIMIT 50`,
    [lessonId],
  );
  return rows.map((row) => reportOf(trialRow.parse(row)));
}

/** The lift of each of these lessons that was tried, by its newest trial whose runs have all ended; by the lesson's id. */
export async function findLifts(database: Database, lessonIds: readonly string[]): Promise<Map<string, PairedLift>> {
  if (lessonIds.length === 0) return new Map();
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'find-lifts',
    text: `SELECT ${COLUMNS} FROM (
        SELECT DISTINCT ON (lesson_id) * FROM lesson_trials n
        WHERE lesson_id = ANY ($1::uuid[]) AND EXISTS (SELECT 1 FROM batches b WHERE b.id = n.batch_with_id)
          AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.batch_id IN (n.batch_without_id, n.batch_with_id) AND u.finished_at IS NULL)
        ORDER BY lesson_id, created_at DESC) t JOIN experiments e ON e.id = t.experiment_id`,
    values: [lessonIds],
  });
  return new Map(
    rows.map((row) => {
      const trial = trialRow.parse(row);
      return [trial.lessonId, reportOf(trial).result];
    }),
  );
}

/** Keeps that a lesson is tried by two batches of an experiment made for it. */
export async function insertTrial(
  connection: Queryable,
  trial: {
    id: string;
    lessonId: string;
    experimentId: string;
    batchWithoutId: string;
    batchWithId: string;
    requestedBy: string;
    now: Date;
  },
): Promise<void> {
  const { id, lessonId, experimentId, batchWithoutId, batchWithId, requestedBy, now } = trial;
  await connection.query(
    `INSERT INTO lesson_trials (id, lesson_id, experiment_id, batch_without_id, batch_with_id, requested_by, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, lessonId, experimentId, batchWithoutId, batchWithId, requestedBy, now],
  );
}

function reportOf({ lessonId, runs, ...trial }: z.output<typeof trialRow>): TrialReport {
  // The seed is the trial's own: its interval is the same at every look.
  return { ...trial, ...reportTrial(runs ?? [], `${lessonId} ${trial.id}`) };
}

/** The lessons that the experiment of a run was made to try. */
export async function lessonsOnTrial({ pool }: Pick<Database, 'pool'>, runId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT t.lesson_id AS id FROM lesson_trials t JOIN runs r ON r.experiment_id = t.experiment_id WHERE r.id = $1',
    [runId],
  );
  return rows.map(({ id }) => id);
}
