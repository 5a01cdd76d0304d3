import { succeed } from '#lib/reflection/problem.ts';
import { assign } from '#lib/runs/assignments/assign.ts';
import { findAssignments } from '#lib/runs/assignments/find-assignments.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/runs/{id}/assignments', role: 'viewer' });
    const id = await readId(params, 'run');
    return id.ok ? succeed(await findAssignments(await getWorkshop(), actor, { kind: 'run', id: id.value })) : id;
  });
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/assignments', role: 'reviewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? assign(await getWorkshop(), actor, { kind: 'run', id: id.value }, body.value) : body;
  });
}
