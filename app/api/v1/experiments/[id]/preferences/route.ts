import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { savePreference } from '#lib/runs/save-preference.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/experiments/{id}/preferences', role: 'reviewer' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? savePreference(await getWorkshop(), actor, id.value, body.value) : body;
  }, 201);
}
