import { succeed } from '#lib/reflection/problem.ts';
import { findReviewers } from '#lib/runs/find-reviewers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { reviewersQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/insights/reviewers', role: 'viewer' });
    const query = readQuery(request, reviewersQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    return succeed(await findReviewers(database, { experimentId: query.value.experimentId ?? null }));
  });
}
