import { findBatch } from '#lib/db/find-batch.ts';
import { findTimeLeft } from '#lib/db/find-time-left.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { found, readId } from '../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/batches/{id}', role: 'viewer' });
    const id = await readId(params, 'batch');
    if (!id.ok) return id;
    const { database, now } = await getWorkshop();
    const batch = await findBatch(database, id.value);
    if (batch === null) return found(null, 'batch');
    const remaining = batch.counts.queued + batch.counts.running;
    return succeed({ ...batch, timeLeft: await findTimeLeft(database, batch.id, remaining, now()) });
  });
}
