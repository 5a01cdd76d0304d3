import { findBlindPairs } from '#lib/runs/find-blind-pairs.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { blindPairsQuery } from '../../../queries.ts';
import { readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/experiments/{id}/blind-pairs', role: 'reviewer' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const query = readQuery(request, blindPairsQuery);
    return query.ok ? findBlindPairs(await getWorkshop(), actor, id.value, query.value.limit) : query;
  });
}
