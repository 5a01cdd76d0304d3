import { listInsightRuns } from '#lib/db/list-insight-runs.ts';
import { listRuns } from '#lib/db/list-runs.ts';
import { fail, succeed } from '#lib/reflection/problem.ts';
import { insightScope } from '#lib/runs/insight-scope.ts';
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
    const { reading, models = null, days = null, cursor = null, limit, ...filter } = query.value;
    const { database, now } = await getWorkshop();
    if (reading === undefined) {
      if (models !== null || days !== null)
        return fail('invalid', 'models and days go with a reading only.', models === null ? 'days' : 'models');
      return succeed(await listRuns(database, { ...filter, cursor, limit }));
    }
    const { experimentId = null, ...others } = filter;
    const other = Object.entries(others).find(([, value]) => value !== undefined)?.[0];
    if (other !== undefined) return fail('invalid', `${other} does not go with a reading.`, other);
    const scope = await insightScope(database, { experimentId, models, days }, now());
    const { items, nextCursor } = await listInsightRuns(database, scope, { reading, cursor, limit });
    return succeed({ items, nextCursor });
  });
}
