import { succeed } from '#lib/reflection/problem.ts';
import { detectLocalServers } from '#lib/runs/detect-local-servers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { refuseBody } from '../read-body.ts';

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/local-servers', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const found = await detectLocalServers(await getWorkshop(), actor);
    return found.ok ? succeed({ items: found.value, nextCursor: null }) : found;
  });
}
