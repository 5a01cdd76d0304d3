import { listDatasets } from '#lib/db/list-datasets.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { createDataset } from '#lib/runs/create-dataset.ts';
import { createDatasetFromText } from '#lib/runs/create-dataset-from-text.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { datasetsQuery, uploadQuery } from '../queries.ts';
import { mediaType, readJson, readText, unsupportedType } from '../read-body.ts';
import { readQuery } from '../read-query.ts';

/** This route stands outside of proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin. */
const UPLOAD_LIMIT_BYTES = 50_000_000;

const FORMATS = new Map<string, 'jsonl' | 'csv'>([
  ['application/jsonl', 'jsonl'],
  ['application/x-ndjson', 'jsonl'],
  ['text/csv', 'csv'],
]);

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/datasets', role: 'viewer' });
    const query = readQuery(request, datasetsQuery);
    if (!query.ok) return query;
    const { database } = await getWorkshop();
    return succeed(await listDatasets(database, { cursor: query.value.cursor ?? null, limit: query.value.limit }));
  });
}

/** A JSON body holds name and cases; a JSONL or CSV body holds the cases, and the name stands in the query. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets', role: 'editor' });
    const type = mediaType(request);
    const format = FORMATS.get(type);
    if (format === undefined && type !== 'application/json')
      return unsupportedType(type, ['application/json', ...FORMATS.keys()]);
    const query = readQuery(request, uploadQuery);
    if (!query.ok) return query;
    const workshop = await getWorkshop();
    if (format === undefined) {
      const body = await readJson(request, UPLOAD_LIMIT_BYTES);
      return body.ok ? createDataset(workshop, actor, body.value) : body;
    }
    const text = await readText(request, UPLOAD_LIMIT_BYTES);
    return text.ok
      ? createDatasetFromText(workshop, actor, { name: query.value.name ?? '', format, text: text.value })
      : text;
  }, 201);
}
