import { changeMember } from '#lib/runs/members/change-member.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';
import { readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/members/{id}', role: 'owner' });
    const id = await readId(params, 'member');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? changeMember(await getWorkshop(), actor, id.value, body.value) : body;
  });
}
