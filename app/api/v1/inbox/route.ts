import { listInbox } from '#lib/db/list-inbox.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { answer } from '../answer.ts';
import { inboxQuery } from '../queries.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/v1/inbox', role: 'viewer' });
    const query = readQuery(request, inboxQuery);
    if (!query.ok) return query;
    const { database, now } = await getWorkshop();
    const { window: windowId = null, cursor = null, ...filter } = query.value;
    const holder = { actorId: actor.id, actorName: actor.name, windowId, personId: personOf(actor) };
    return succeed(await listInbox(database, { ...filter, cursor }, holder, now()));
  });
}
