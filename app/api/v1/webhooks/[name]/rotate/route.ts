import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { updateWebhook } from '#lib/runs/webhooks/update-webhook.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';

/** Gives the webhook a new secret, which is answered this once. The old one holds no longer. */
export async function POST(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/webhooks/{name}/rotate', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    return updateWebhook(await getWorkshop(), actor, name.value, { newSecret: true });
  });
}
