import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { tryRecall } from '#lib/runs/try-recall.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson } from '../../read-body.ts';

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/lessons/recall', role: 'reviewer' });
    const body = await readJson(request);
    if (!body.ok) return body;
    return tryRecall(await getWorkshop(), actor, body.value);
  });
}
