import { loadRun } from '#lib/db/load-run.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { findRescores } from '#lib/runs/find-rescores.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notFound, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/rescores', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const stored = await loadRun(database, id.value);
    if (stored === null) return notFound('run');
    return succeed({ items: await findRescores(database, stored) });
  });
}
