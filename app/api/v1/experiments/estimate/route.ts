import { estimateDraft } from '#lib/runs/estimate-start.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { runsAtOnce } from '#lib/runs/runs-at-once.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'POST /api/v1/experiments/estimate', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? estimateDraft(await getWorkshop(), body.value, runsAtOnce()) : body;
  });
}
