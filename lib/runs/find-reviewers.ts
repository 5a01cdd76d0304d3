import type { Database } from '#lib/db/database.ts';
import { listJudgements } from '#lib/db/reviewer-judgements.ts';
import { reviewerAgreement } from '#lib/measures/reviewer-agreement.ts';
import type { Reviewers } from '#lib/measures/reviewers.ts';

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
