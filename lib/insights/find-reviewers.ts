import type { Database } from '#lib/database/database.ts';
import { reviewerAgreement } from '#lib/statistics/reviewer-agreement.ts';
import { listJudgements } from './reviewer-judgements.ts';
import type { Reviewers } from './reviewers.ts';

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
