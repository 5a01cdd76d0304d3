import { branchRun } from '#lib/runs/branch-run.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/branch', role: 'editor' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? branchRun(await getWorkshop(), actor, id.value, body.value, { watched: false }) : body;
  }, 201);
}
