import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { resendDelivery } from '#lib/runs/webhooks/resend-delivery.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../../answer.ts';
import { refuseBody } from '../../../../../read-body.ts';
import { readId } from '../../../../../read-id.ts';
import { readName } from '../../../../../read-name.ts';

type Context = { params: Promise<{ name: string; id: string }> };

/** Makes the delivery due; what comes of it stands in the list of deliveries. */
export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/webhooks/{name}/deliveries/{id}/resend', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    const id = await readId(params, 'delivery');
    if (!id.ok) return id;
    return resendDelivery(await getWorkshop(), actor, { webhook: name.value, id: id.value });
  }, 202);
}
