import { IMPORT_LIMIT_BYTES } from '#lib/runs/exchange/collect-histories.ts';
import { importRuns } from '#lib/runs/exchange/import-runs.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { runsImportQuery } from '../../queries.ts';
import { mediaType, receiveBody, unsupportedType } from '../../read-body.ts';
import { readQuery } from '../../read-query.ts';

const TYPES = ['application/jsonl', 'application/x-ndjson'];

/** This route stands outside of proxy.ts, which would cut bodies off at 10 MB: `authorize` looks at Host and Origin. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/import', role: 'editor' });
    const type = mediaType(request);
    if (!TYPES.includes(type)) return unsupportedType(type, TYPES);
    const query = readQuery(request, runsImportQuery);
    if (!query.ok) return query;
    const { name = null, dryRun, solvedFrom } = query.value;
    const workshop = await getWorkshop();
    const imported = await receiveBody(request, { actor, limitBytes: IMPORT_LIMIT_BYTES }, (bytes) =>
      importRuns(workshop, actor, bytes, { name, dryRun, solvedFrom }),
    );
    // A dry run made nothing: 200, not 201.
    return imported.ok && dryRun ? Response.json(imported.value) : imported;
  }, 201);
}
