import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { testWebhook } from '#lib/runs/webhooks/test-webhook.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';

/** Sends the webhook a sample. One that does not answer as it should is an answer (`ok: false` with a remedy), not an error. */
export async function POST(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/webhooks/{name}/test', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    return testWebhook(await getWorkshop(), actor, name.value);
  });
}
