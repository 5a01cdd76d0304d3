import { findMonthUse } from '#lib/db/month-use.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { setMonthBudget } from '#lib/runs/budgets/set-month-budget.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/budget', role: 'viewer' });
    const { database, now } = await getWorkshop();
    return succeed(await findMonthUse(database, now()));
  });
}

export async function PUT(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PUT /api/v1/budget', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? setMonthBudget(await getWorkshop(), actor, body.value) : body;
  });
}
