import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { type Judgement, reviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import type { Reviewers } from './schema.ts';

/** Of so many of the newest words of each sort; more say nothing else. */
const MOST_JUDGEMENTS = 20_000;

const judgements = z.array(
  z.object({ thing: z.string(), person: z.string(), name: z.string(), says: z.enum(['yes', 'no', 'tie']) }),
);

/** What people think of lessons, each text by itself; `lessonId` null: of all. */
const OPINIONS = `
  SELECT lesson_id || ' ' || edit AS thing, actor_id AS person, actor AS name,
    CASE verdict WHEN 'promote' THEN 'yes' ELSE 'no' END AS says
  FROM lesson_opinions WHERE $1::uuid IS NULL OR lesson_id = $1 ORDER BY created_at DESC LIMIT $2`;

/**
 * The scores that people gave versions: at the threshold of the run's settings or below it. People are told apart by their names, which
 * are unique.
 */
const SCORES = `
  SELECT d.run_id || ' ' || d.version || ' ' || coalesce(d.criterion, '') AS thing, d.actor AS person, d.actor AS name,
    CASE WHEN d.score >= (s.settings->>'qualityThreshold')::float8 THEN 'yes' ELSE 'no' END AS says
  FROM decisions d
  JOIN runs r ON r.id = d.run_id
  JOIN experiment_versions s ON s.experiment_id = r.experiment_id AND s.version = r.experiment_version
  WHERE d.by = 'person' AND d.decision IN ('score', 'override') AND d.score IS NOT NULL AND d.version IS NOT NULL
    AND d.actor IS NOT NULL AND ($1::uuid IS NULL OR r.experiment_id = $1)
  ORDER BY d.at DESC LIMIT $2`;

/** Which of two versions people picked who saw them blind: whether the earlier one. */
const PREFERENCES = `
  SELECT run_id || ' ' || first_version || ' ' || second_version AS thing, actor_id AS person, actor AS name,
    CASE WHEN choice = 'tie' THEN 'tie' WHEN (choice = 'left') = (left_version = first_version) THEN 'yes' ELSE 'no' END AS says
  FROM preferences WHERE $1::uuid IS NULL OR experiment_id = $1 ORDER BY at DESC LIMIT $2`;

const QUERIES = { opinions: OPINIONS, scores: SCORES, preferences: PREFERENCES };
type JudgementSort = keyof typeof QUERIES;

/** What people said, oldest first. `of`: the lesson that opinions are of, else the experiment; null: all. */
async function listJudgements(
  { pool }: Pick<Database, 'pool'>,
  sort: JudgementSort,
  of: string | null,
): Promise<Judgement[]> {
  const { rows } = await pool.query<Record<string, unknown>>(QUERIES[sort], [of, MOST_JUDGEMENTS]);
  return judgements.parse(rows).toReversed();
}

/** How far reviewers agree over all experiments, or on one; opinions on lessons are of all. */
export async function findReviewers(
  database: Pick<Database, 'pool'>,
  { experimentId }: { experimentId: string | null },
): Promise<Reviewers> {
  const [opinions, scores, preferences] = await Promise.all([
    listJudgements(database, 'opinions', null),
    listJudgements(database, 'scores', experimentId),
    listJudgements(database, 'preferences', experimentId),
  ]);
  return {
    opinions: reviewerAgreement(opinions),
    scores: reviewerAgreement(scores),
    preferences: reviewerAgreement(preferences),
  };
}
