import { findRun } from '#lib/db/find-run.ts';
import { deleteRun } from '#lib/runs/delete-run.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { found, readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const run = await findRun(database, id.value);
    return found(run && { ...run.record, tuning: run.tuning }, 'run');
  });
}

export async function DELETE(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/runs/{id}', role: 'editor' });
    const id = await readId(params, 'run');
    return id.ok ? deleteRun(await getWorkshop(), actor, id.value) : id;
  });
}
