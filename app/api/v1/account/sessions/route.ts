import { listOwnSessions, revokeOtherSessions } from '#lib/runs/members/own-sessions.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { refuseBody } from '../../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/account/sessions', role: 'viewer' });
    return listOwnSessions(await getWorkshop(), actor);
  });
}

export async function DELETE(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/account/sessions', role: 'viewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    return revokeOtherSessions(await getWorkshop(), actor);
  });
}
