import { exportComparison } from '#lib/runs/compare/export-comparison.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { downloadResponse } from '../../download-response.ts';
import { noteExport } from '../../note-export.ts';
import { comparisonExportQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/export/compare', role: 'viewer' });
    const query = readQuery(request, comparisonExportQuery);
    if (!query.ok) return query;
    const { experimentIds, baseline, metric } = query.value;
    const download = await exportComparison(await getWorkshop(), {
      arms: experimentIds,
      baseline: baseline ?? null,
      metric: metric ?? null,
    });
    if (!download.ok) return download;
    await noteExport(actor, { kind: 'experiment' }, { what: 'comparison', arms: experimentIds.join(', ') });
    return downloadResponse(request, download.value);
  });
}
