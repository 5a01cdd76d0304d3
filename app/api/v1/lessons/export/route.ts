import { exportLessons } from '#lib/runs/lessons/export-lessons.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { downloadResponse } from '../../download-response.ts';
import { noteExport } from '../../note-export.ts';
import { lessonsExportQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/lessons/export', role: 'viewer' });
    const query = readQuery(request, lessonsExportQuery);
    if (!query.ok) return query;
    const { format, kind, status, year } = query.value;
    const part = { format, kind: kind ?? null, status: status ?? null, year: year ?? null };
    const download = exportLessons(await getWorkshop(), part);
    await noteExport(actor, { kind: 'lesson' }, part);
    return downloadResponse(request, download);
  });
}
