import { findDataset } from '#lib/db/find-dataset.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { changeDataset } from '#lib/runs/datasets/change-dataset.ts';
import { deleteDataset } from '#lib/runs/delete-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { datasetQuery } from '../../dataset-queries.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { notFound, readId } from '../../read-id.ts';
import { readQuery } from '../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

/** How many cases stand in the answer; the others are at `/cases`. */
const FIRST_CASES = 200;

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets/{id}', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, datasetQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    const { version = null } = query.value;
    const dataset = await findDataset(database, id.value, FIRST_CASES, 0, version);
    if (dataset === null) return notFound('dataset');
    if (version !== null && version > dataset.latestVersion) return notFound('version of this dataset');
    return succeed(dataset);
  });
}

/** Changes name and cases; a change of cases makes a new version. */
export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/datasets/{id}', role: 'editor' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? changeDataset(await getWorkshop(), actor, id.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/datasets/{id}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'dataset');
    return id.ok ? deleteDataset(await getWorkshop(), actor, id.value) : id;
  });
}
