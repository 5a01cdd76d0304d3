import { succeed } from '#lib/reflection/problem.ts';
import { planControl } from '#lib/runs/controls/plan-control.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { runsAtOnce } from '#lib/runs/runs-at-once.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { readJson } from '../../../../read-body.ts';
import { readId } from '../../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/batches/{id}/controls/estimate', role: 'editor' });
    const id = await readId(params, 'batch');
    if (!id.ok) return id;
    const body = await readJson(request);
    if (!body.ok) return body;
    const planned = await planControl(await getWorkshop(), id.value, body.value, runsAtOnce());
    if (!planned.ok) return planned;
    const { name, control, budget, temperature, estimate } = planned.value;
    return succeed({ name, control, budget, temperature, estimate });
  });
}
