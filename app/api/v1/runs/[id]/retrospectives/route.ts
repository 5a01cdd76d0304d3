import { findRun } from '#lib/db/find-run.ts';
import { listRetrospectives } from '#lib/db/retrospectives.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notFound, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/retrospectives', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const items = await listRetrospectives(database, id.value);
    if (items.length === 0 && (await findRun(database, id.value)) === null) return notFound('run');
    return succeed({ items });
  });
}
