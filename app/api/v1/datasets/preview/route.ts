import { succeed } from '#lib/reflection/problem.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { importOptionsOf, previewQuery } from '../../dataset-queries.ts';
import { readQuery } from '../../read-query.ts';
import { takeUpload } from '../take-upload.ts';

/** What an import would store, with every line that is wrong; nothing is stored. Outside of proxy.ts, as the import is. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/datasets/preview', role: 'editor' });
    const query = readQuery(request, previewQuery);
    if (!query.ok) return query;
    const { datasetId, ...reading } = query.value;
    const target = datasetId === undefined ? { name: null } : { datasetId };
    const looked = await takeUpload(request, actor, target, { ...importOptionsOf(reading), dryRun: true });
    return looked.ok ? succeed({ caseCount: looked.value.caseCount, ...looked.value.report }) : looked;
  });
}
