import { deleteNote } from '#lib/runs/notes/delete-note.ts';
import { editNote } from '#lib/runs/notes/edit-note.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/notes/{id}', role: 'reviewer' });
    const id = await readId(params, 'note');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? editNote(await getWorkshop(), actor, id.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/notes/{id}', role: 'reviewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'note');
    return id.ok ? deleteNote(await getWorkshop(), actor, id.value) : id;
  });
}
