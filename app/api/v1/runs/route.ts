import { listRuns } from '#lib/db/list-runs.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { runsQuery } from '../queries.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs', role: 'viewer' });
    const query = readQuery(request, runsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    return succeed(await listRuns(database, { ...query.value, cursor: query.value.cursor ?? null }));
  });
}
