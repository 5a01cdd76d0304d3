import { exportDataset } from '#lib/runs/datasets/export-dataset.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { datasetExportQuery } from '../../../dataset-queries.ts';
import { downloadResponse } from '../../../download-response.ts';
import { noteExport } from '../../../note-export.ts';
import { readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/datasets/{id}/export', role: 'viewer' });
    const id = await readId(params, 'dataset');
    if (!id.ok) return id;
    const query = readQuery(request, datasetExportQuery);
    if (!query.ok) return query;
    const { format, version = null } = query.value;
    const download = await exportDataset(await getWorkshop(), id.value, { format, version });
    if (!download.ok) return download;
    await noteExport(actor, { kind: 'dataset', id: id.value }, { format, version });
    return downloadResponse(request, download.value);
  });
}
