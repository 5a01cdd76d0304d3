import { succeed } from '#lib/reflection/problem.ts';
import { listRunCalls } from '#lib/runs/calls/list-run-calls.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { callsQuery } from '../../../queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/calls', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, callsQuery);
    if (!query.ok) return query;
    const filter = { ...query.value, cursor: query.value.cursor ?? null };
    const listed = await listRunCalls(await getWorkshop(), id.value, filter);
    return listed === null ? notFound('run') : succeed(listed.page);
  });
}
