import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { exportReport } from '#lib/runs/report/export-report.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { downloadResponse } from '../../../download-response.ts';
import { noteExport } from '../../../note-export.ts';
import { readId } from '../../../read-id.ts';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/experiments/{id}/report', role: 'viewer' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const report = await exportReport(await getWorkshop(), id.value);
    if (!report.ok) return report;
    await noteExport(actor, { kind: 'experiment', id: id.value }, { what: 'report' });
    return downloadResponse(request, report.value);
  });
}
