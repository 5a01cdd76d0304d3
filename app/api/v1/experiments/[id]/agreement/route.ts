import { findAgreement } from '#lib/db/preferences.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { found, readId } from '../../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/experiments/{id}/agreement', role: 'viewer' });
    const id = await readId(params, 'experiment');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    return found(await findAgreement(database, id.value), 'experiment');
  });
}
