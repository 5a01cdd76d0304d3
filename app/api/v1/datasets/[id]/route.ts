import { findDataset } from '#lib/db/find-dataset.ts';
import { deleteDataset } from '#lib/runs/delete-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { found, readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets/{id}', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    return found(await findDataset(database, id.value), 'dataset');
  });
}

export async function DELETE(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/datasets/{id}', role: 'editor' });
    const id = await readId(params, 'dataset');
    return id.ok ? deleteDataset(await getWorkshop(), actor, id.value) : id;
  });
}
