import { revokeOwnSession } from '#lib/runs/members/own-sessions.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/account/sessions/{id}', role: 'viewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'session');
    return id.ok ? revokeOwnSession(await getWorkshop(), actor, id.value) : id;
  });
}
