import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { revokeToken } from '#lib/runs/tokens/revoke-token.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function DELETE(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/tokens/{id}', role: 'owner' });
    const id = await readId(params, 'API token');
    return id.ok ? revokeToken(await getWorkshop(), actor, id.value) : id;
  });
}
