import { giveOpinion } from '#lib/runs/lessons/give-opinion.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/{id}/opinions', role: 'reviewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? giveOpinion(await getWorkshop(), actor, id.value, body.value) : body;
  }, 201);
}
