import { writeMetrics } from '#lib/runs/metrics/write-metrics.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';

export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/metrics', role: 'viewer' });
    const { contentType, text } = await writeMetrics((await getWorkshop()).database);
    return new Response(text, { headers: { 'Content-Type': contentType } });
  });
}
