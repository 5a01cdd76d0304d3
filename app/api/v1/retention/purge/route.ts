import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { purgeDue } from '#lib/runs/retention/purge-due.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { refuseBody } from '../../read-body.ts';

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/retention/purge', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    return purgeDue(await getWorkshop(), actor);
  });
}
