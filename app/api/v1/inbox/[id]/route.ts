import { findRun } from '#lib/db/find-run.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { found, readId } from '../../read-id.ts';

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/inbox/{id}', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    const run = await findRun(database, id.value);
    return found(run && { run: run.record, experimentName: run.experimentName, settings: run.settings }, 'run');
  });
}
