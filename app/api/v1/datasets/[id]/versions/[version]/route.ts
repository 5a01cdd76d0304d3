import { listCaseChanges } from '#lib/db/dataset-history.ts';
import { findDataset } from '#lib/db/find-dataset.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { datasetVersionsQuery } from '../../../../dataset-queries.ts';
import { notFound, readId } from '../../../../read-id.ts';
import { readQuery } from '../../../../read-query.ts';

type Context = { params: Promise<{ id: string; version: string }> };

/** What a version changed, case by case. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets/{id}/versions/{version}', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, datasetVersionsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    const { version } = await params;
    const dataset = await findDataset(database, id.value, 0);
    if (dataset === null) return notFound('dataset');
    if (!/^[1-9]\d{0,8}$/.test(version) || Number(version) > dataset.latestVersion)
      return notFound('version of this dataset');
    const { cursor, limit } = query.value;
    return succeed(await listCaseChanges(database, id.value, Number(version), { cursor: Number(cursor ?? 0), limit }));
  });
}
