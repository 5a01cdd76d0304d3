import { compareExperiments } from '#lib/runs/compare/compare-experiments.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { compareQuery } from '../queries.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/compare', role: 'viewer' });
    const query = readQuery(request, compareQuery);
    if (!query.ok) return query;
    const { experimentIds, baseline, metric, arm, show, cursor, limit } = query.value;
    return compareExperiments(await getWorkshop(), {
      arms: experimentIds,
      baseline: baseline ?? null,
      metric: metric ?? null,
      show: show === undefined ? null : { arm: arm ?? null, kind: show },
      offset: Number(cursor ?? 0),
      limit,
    });
  });
}
