import { deleteProvider } from '#lib/runs/delete-provider.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { updateProvider } from '#lib/runs/update-provider.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { deleteProviderQuery } from '../../queries.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { readName } from '../../read-name.ts';
import { readQuery } from '../../read-query.ts';

type Context = { params: Promise<{ name: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/providers/{name}', role: 'owner' });
    const name = await readName(params, 'provider');
    if (!name.ok) return name;
    const body = await readJson(request);
    return body.ok ? updateProvider(await getWorkshop(), actor, name.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/providers/{name}', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'provider');
    if (!name.ok) return name;
    const query = readQuery(request, deleteProviderQuery);
    return query.ok ? deleteProvider(await getWorkshop(), actor, name.value, query.value) : query;
  });
}
