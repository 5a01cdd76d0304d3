import { estimateStart } from '#lib/runs/estimate-start.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { runsAtOnce } from '#lib/runs/runs-at-once.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/experiments/{id}/estimate', role: 'editor' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? estimateStart(await getWorkshop(), id.value, body.value, runsAtOnce()) : body;
  });
}
