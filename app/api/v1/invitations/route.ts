import { listInvitations } from '#lib/db/list-invitations.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { inviteToTeam } from '#lib/runs/members/team-links.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/invitations', role: 'owner' });
    const { database, now } = await getWorkshop();
    return succeed({ items: await listInvitations(database, now()) });
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/invitations', role: 'owner' });
    const body = await readJson(request);
    if (!body.ok) return body;
    const { address } = getRunningApp();
    return inviteToTeam({ ...(await getWorkshop()), address }, actor, body.value);
  }, 201);
}
