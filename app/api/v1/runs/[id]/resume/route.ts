import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { resumeRun } from '#lib/runs/resume-run.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readOptionalJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/resume', role: 'editor' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const body = await readOptionalJson(request);
    return body.ok ? resumeRun(await getWorkshop(), actor, id.value, body.value) : body;
  });
}
