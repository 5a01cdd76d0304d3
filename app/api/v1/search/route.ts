import { isIndexing, searchOutputs } from '#lib/db/search-outputs.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { searchQuery } from '../queries.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/search', role: 'viewer' });
    const query = readQuery(request, searchQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    const { q, experimentId = null, cursor = null, limit } = query.value;
    const [page, isBehind] = await Promise.all([
      searchOutputs(database, { query: q, experimentId, cursor, limit: Math.min(limit, MOST_HITS) }),
      isIndexing(database),
    ]);
    return succeed({ ...page, isIndexing: isBehind });
  });
}

/** Each hit is looked up in its run's texts. */
const MOST_HITS = 50;
