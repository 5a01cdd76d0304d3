import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { deleteWebhook } from '#lib/runs/webhooks/delete-webhook.ts';
import { updateWebhook } from '#lib/runs/webhooks/update-webhook.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { deleteWebhookQuery } from '../../queries.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { readName } from '../../read-name.ts';
import { readQuery } from '../../read-query.ts';

type Context = { params: Promise<{ name: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/webhooks/{name}', role: 'owner' });
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    const body = await readJson(request);
    return body.ok ? updateWebhook(await getWorkshop(), actor, name.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/webhooks/{name}', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    const query = readQuery(request, deleteWebhookQuery);
    return query.ok ? deleteWebhook(await getWorkshop(), actor, name.value, query.value) : query;
  });
}
