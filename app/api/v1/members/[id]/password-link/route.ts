import { linkToNewPassword } from '#lib/runs/members/team-links.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/members/{id}/password-link', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'member');
    if (!id.ok) return id;
    const { address } = getRunningApp();
    return linkToNewPassword({ ...(await getWorkshop()), address }, actor, id.value);
  }, 201);
}
