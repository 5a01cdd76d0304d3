import { exportLessons } from '#lib/runs/lessons/export-lessons.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { lessonsExportQuery } from '../../queries.ts';
import { readQuery } from '../../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/lessons/export', role: 'viewer' });
    const query = readQuery(request, lessonsExportQuery);
    if (!query.ok) return query;
    const { format, kind, status } = query.value;
    const { type, name, chunks } = exportLessons(await getWorkshop(), {
      format,
      kind: kind ?? null,
      status: status ?? null,
    });
    const headers = { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` };
    return new Response(request.method === 'HEAD' ? null : streamOf(chunks), { headers });
  });
}

/** Read only as fast as it is taken; left in the middle, the rest is not read at all. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}
