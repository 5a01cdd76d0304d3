import { findDataset } from '#lib/db/find-dataset.ts';
import { listCases } from '#lib/db/list-cases.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { addCasesQuery, casesQuery, importOptionsOf } from '../../../dataset-queries.ts';
import { notFound, readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';
import { importedShape } from '../../imported-shape.ts';
import { takeUpload } from '../../take-upload.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets/{id}/cases', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, casesQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    if ((await findDataset(database, id.value, 0)) === null) return notFound('dataset');
    const { cursor, limit, version = null, search, split = null, tag = null } = query.value;
    const page = { cursor: Number(cursor ?? 0), limit };
    return succeed(await listCases(database, id.value, { version, search, split, tag }, page));
  });
}

/** Adds the cases of an upload as a new version. Outside of proxy.ts, which would cut bodies off at 10 MB. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets/{id}/cases', role: 'editor' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, addCasesQuery);
    if (!query.ok) return query;
    const options = { ...importOptionsOf(query.value), dryRun: false };
    const imported = await takeUpload(request, actor, { datasetId: id.value }, options);
    return imported.ok ? succeed(importedShape(imported.value)) : imported;
  }, 201);
}
