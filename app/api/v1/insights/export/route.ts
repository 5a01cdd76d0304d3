import { writeInsightsCsv } from '#lib/runs/exchange/write-insights-csv.ts';
import { findInsights } from '#lib/runs/find-insights.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { noteExport } from '../../note-export.ts';
import { insightsQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/insights/export', role: 'viewer' });
    const query = readQuery(request, insightsQuery);
    if (!query.ok) return query;
    const { experimentId = null, models = null, days = null } = query.value;
    const { database, now } = await getWorkshop();
    const { insights } = await findInsights(database, { experimentId, models, days }, now());
    await noteExport(actor, { kind: 'run' }, { what: 'insights', experimentId });
    return new Response(writeInsightsCsv(insights), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="insights.csv"',
      },
    });
  });
}
