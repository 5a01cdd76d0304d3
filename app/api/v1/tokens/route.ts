import { listApiTokens } from '#lib/db/api-tokens.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { createToken } from '#lib/runs/tokens/create-token.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/tokens', role: 'owner' });
    const { database } = await getWorkshop();
    return succeed({ items: await listApiTokens(database) });
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/tokens', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? createToken(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
