import { succeed } from '#lib/reflection/problem.ts';
import { listProviders } from '#lib/runs/list-providers.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { saveProvider } from '#lib/runs/save-provider.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/providers', role: 'viewer' });
    return succeed({ items: await listProviders(await getWorkshop()), nextCursor: null });
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/providers', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? saveProvider(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
