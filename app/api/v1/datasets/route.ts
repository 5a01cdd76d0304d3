import { listDatasets } from '#lib/db/list-datasets.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { datasetsQuery, importOptionsOf, uploadQuery } from '../dataset-queries.ts';
import { readQuery } from '../read-query.ts';
import { importedShape } from './imported-shape.ts';
import { takeUpload } from './take-upload.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets', role: 'viewer' });
    const query = readQuery(request, datasetsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    const { cursor = null, limit, search } = query.value;
    return succeed(await listDatasets(database, { cursor, limit, search }));
  });
}

/**
 * A JSON body holds name and cases; a list, JSONL or CSV holds the cases, and the name stands in the query. This route stands outside of
 * proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin.
 */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets', role: 'editor' });
    const query = readQuery(request, uploadQuery);
    if (!query.ok) return query;
    const { name = null, ...reading } = query.value;
    const options = { ...importOptionsOf(reading), dryRun: false };
    const isJson = request.headers.get('content-type')?.startsWith('application/json');
    const imported = await takeUpload(request, actor, { name: isJson ? name : (name ?? '') }, options);
    return imported.ok ? succeed(importedShape(imported.value)) : imported;
  }, 201);
}
