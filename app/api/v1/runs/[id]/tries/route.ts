import { findRunProgress } from '#lib/db/find-run-progress.ts';
import { listCaseTries } from '#lib/db/list-case-tries.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { triesQuery } from '../../../queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

/** A run that tunes no prompt has none. */
export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/tries', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, triesQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    if ((await findRunProgress(database, id.value)) === null) return notFound('run');
    return succeed(await listCaseTries(database, id.value, { ...query.value, cursor: query.value.cursor ?? null }));
  });
}
