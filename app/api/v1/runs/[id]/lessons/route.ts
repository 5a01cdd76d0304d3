import { findRunLessons } from '#lib/db/find-run-lessons.ts';
import { loadRun } from '#lib/db/load-run.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notFound, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/lessons', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    if ((await loadRun(database, id.value)) === null) return notFound('run');
    return succeed(await findRunLessons(database, id.value));
  });
}
