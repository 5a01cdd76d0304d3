import { succeed } from '#lib/reflection/problem.ts';
import { listPrices } from '#lib/runs/list-prices.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { setPrices } from '#lib/runs/set-prices.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/prices', role: 'viewer' });
    return succeed({ items: await listPrices(await getWorkshop()), nextCursor: null });
  });
}

export async function PATCH(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/prices', role: 'owner' });
    const body = await readJson(request);
    if (!body.ok) return body;
    const prices = await setPrices(await getWorkshop(), actor, body.value);
    return prices.ok ? succeed({ items: prices.value, nextCursor: null }) : prices;
  });
}
