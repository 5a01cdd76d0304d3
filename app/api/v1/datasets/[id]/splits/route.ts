import { divideDataset } from '#lib/runs/datasets/divide-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets/{id}/splits', role: 'editor' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? divideDataset(await getWorkshop(), actor, id.value, body.value) : body;
  });
}
