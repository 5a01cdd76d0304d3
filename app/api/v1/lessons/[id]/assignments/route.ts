import { assign } from '#lib/runs/assignments/assign.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/{id}/assignments', role: 'reviewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? assign(await getWorkshop(), actor, { kind: 'lesson', id: id.value }, body.value) : body;
  });
}
