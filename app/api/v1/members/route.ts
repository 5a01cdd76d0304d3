import { listMembers } from '#lib/db/members.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/members', role: 'owner' });
    const { database, now } = await getWorkshop();
    return succeed({ items: await listMembers(database, now()) });
  });
}
