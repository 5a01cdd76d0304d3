import { unassign } from '#lib/runs/assignments/unassign.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { refuseBody } from '../../../../read-body.ts';
import { readId } from '../../../../read-id.ts';
import { readWord } from '../../../../read-name.ts';

type Context = { params: Promise<{ id: string; memberId: string }> };

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/lessons/{id}/assignments/{memberId}', role: 'reviewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const memberId = readWord((await params).memberId) ?? '';
    return unassign(await getWorkshop(), actor, { kind: 'lesson', id: id.value }, memberId);
  });
}
