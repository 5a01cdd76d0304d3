import { unassign } from '#lib/runs/assignments/unassign.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { readId } from '../../../../read-id.ts';
import { readWord } from '../../../../read-name.ts';

type Context = { params: Promise<{ id: string; memberId: string }> };

export async function DELETE(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/lessons/{id}/assignments/{memberId}', role: 'reviewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const memberId = readWord((await params).memberId) ?? '';
    return unassign(await getWorkshop(), actor, { kind: 'lesson', id: id.value }, memberId);
  });
}
