import { listDatasetVersions } from '#lib/db/dataset-history.ts';
import { findDataset } from '#lib/db/find-dataset.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { datasetVersionsQuery } from '../../../dataset-queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets/{id}/versions', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, datasetVersionsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    if ((await findDataset(database, id.value, 0)) === null) return notFound('dataset');
    const { cursor, limit } = query.value;
    const before = cursor === undefined ? null : Number(cursor);
    return succeed(await listDatasetVersions(database, id.value, { cursor: before, limit }));
  });
}
