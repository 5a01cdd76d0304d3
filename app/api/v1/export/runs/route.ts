import { exportRuns } from '#lib/runs/exchange/export-runs.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { downloadResponse } from '../../download-response.ts';
import { noteExport } from '../../note-export.ts';
import { runsExportQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/export/runs', role: 'viewer' });
    const query = readQuery(request, runsExportQuery);
    if (!query.ok) return query;
    const download = await exportRuns(await getWorkshop(), query.value.experimentId, query.value.format);
    if (!download.ok) return download;
    const { experimentId, format } = query.value;
    await noteExport(actor, { kind: 'experiment', id: experimentId }, { what: 'runs', format });
    return downloadResponse(request, download.value);
  });
}
