import { endMemberSessions } from '#lib/runs/members/end-member-sessions.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/members/{id}/sessions', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'member');
    return id.ok ? endMemberSessions(await getWorkshop(), actor, id.value) : id;
  });
}
