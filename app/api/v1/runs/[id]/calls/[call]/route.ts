import { findRunCall } from '#lib/runs/calls/find-run-call.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { found, notFound, readId } from '../../../../read-id.ts';

type Context = { params: Promise<{ id: string; call: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/runs/{id}/calls/{call}', role: 'viewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const { call } = await params;
    if (!/^[1-9]\d{0,8}$/.test(call)) return notFound('call');
    return found(await findRunCall(await getWorkshop(), id.value, Number(call)), 'call');
  });
}
