import { requestScreening } from '#lib/runs/lessons/request-screening.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/{id}/screen', role: 'reviewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'lesson');
    return id.ok ? requestScreening(await getWorkshop(), actor, id.value) : id;
  });
}
