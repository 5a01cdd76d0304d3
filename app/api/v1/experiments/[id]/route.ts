import { findExperiment } from '#lib/db/find-experiment.ts';
import { findExperimentFlags } from '#lib/db/find-experiment-flags.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { deleteExperiment } from '#lib/runs/delete-experiment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { updateExperiment } from '#lib/runs/update-experiment.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { found, readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/experiments/{id}', role: 'viewer' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const experiment = await findExperiment(database, id.value);
    if (experiment === null) return found(null, 'experiment');
    const flags = await findExperimentFlags(database, experiment.id, experiment.latestVersion);
    return succeed({ ...experiment, flags });
  });
}

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/experiments/{id}', role: 'editor' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? updateExperiment(await getWorkshop(), actor, id.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/experiments/{id}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'experiment');
    return id.ok ? deleteExperiment(await getWorkshop(), actor, id.value) : id;
  });
}
