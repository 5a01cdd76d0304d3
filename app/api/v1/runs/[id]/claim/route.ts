import { claimInboxItem, leaveInboxItem } from '#lib/runs/claim-inbox-item.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { claimQuery } from '../../../queries.ts';
import { readJson, refuseBody } from '../../../read-body.ts';
import { readId } from '../../../read-id.ts';
import { readQuery } from '../../../read-query.ts';

type Context = { params: Promise<{ id: string }> };

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/runs/{id}/claim', role: 'reviewer' });
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? claimInboxItem(await getWorkshop(), actor, id.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/runs/{id}/claim', role: 'reviewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'run');
    if (!id.ok) return id;
    const query = readQuery(request, claimQuery);
    return query.ok ? leaveInboxItem(await getWorkshop(), actor, id.value, query.value.window) : query;
  });
}
