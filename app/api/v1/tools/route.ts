import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { listTools } from '#lib/runs/tools/list-tools.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';

/** All tools that agents can be given. */
export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/tools', role: 'viewer' });
    return succeed({ items: await listTools(await getWorkshop()), nextCursor: null });
  });
}
