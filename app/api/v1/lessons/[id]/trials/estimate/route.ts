import { succeed } from '#lib/reflection/problem.ts';
import { planTrial } from '#lib/runs/lessons/plan-trial.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { readJson } from '../../../../read-body.ts';
import { readId } from '../../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/lessons/{id}/trials/estimate', role: 'editor' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const body = await readJson(request);
    if (!body.ok) return body;
    const planned = await planTrial(await getWorkshop(), id.value, body.value);
    if (!planned.ok) return planned;
    const { cases, repetitions, leftOut, calls } = planned.value;
    return succeed({ cases: cases.length, leftOut, runs: 2 * cases.length * repetitions, calls });
  });
}
