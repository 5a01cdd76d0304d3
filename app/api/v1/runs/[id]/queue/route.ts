import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { findQueuePlace } from '#lib/runs/queued/find-queue-place.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { notFound, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/queue', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const place = await findQueuePlace(await getWorkshop(), id.value);
    return place === null ? notFound('run') : Response.json(place);
  });
}
