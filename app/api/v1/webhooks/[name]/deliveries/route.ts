import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { listWebhookDeliveries } from '#lib/runs/webhooks/list-webhook-deliveries.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { deliveriesQuery } from '../../../queries.ts';
import { readName } from '../../../read-name.ts';
import { readQuery } from '../../../read-query.ts';

export async function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/webhooks/{name}/deliveries', role: 'owner' });
    const name = await readName(params, 'webhook');
    if (!name.ok) return name;
    const query = readQuery(request, deliveriesQuery);
    if (!query.ok) return query;
    const { cursor = null, limit } = query.value;
    return listWebhookDeliveries(await getWorkshop(), name.value, { cursor, limit });
  });
}
