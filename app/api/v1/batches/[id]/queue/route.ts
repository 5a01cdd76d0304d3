import { findBatch } from '#lib/db/find-batch.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { findBatchQueuePlace } from '#lib/runs/queued/find-queue-place.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notFound, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/batches/{id}/queue', role: 'viewer' });
    const id = await readId(params, 'batch');
    if (!id.ok) return id;
    const workshop = await getWorkshop();
    const batch = await findBatch(workshop.database, id.value);
    if (batch === null) return notFound('batch');
    return Response.json({ queued: batch.counts.queued, first: await findBatchQueuePlace(workshop, id.value) });
  });
}
