import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { setRetention } from '#lib/runs/retention/set-retention.ts';
import { viewRetention } from '#lib/runs/retention/view-retention.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/retention', role: 'owner' });
    return succeed(await viewRetention(await getWorkshop()));
  });
}

export async function PUT(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PUT /api/v1/retention', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? setRetention(await getWorkshop(), actor, body.value) : body;
  });
}
