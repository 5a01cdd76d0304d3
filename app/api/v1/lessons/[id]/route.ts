import { findLesson } from '#lib/db/find-lesson.ts';
import { deleteLesson } from '#lib/runs/lessons/delete-lesson.ts';
import { editLesson } from '#lib/runs/lessons/edit-lesson.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { found, readId } from '../../read-id.ts';

type Context = { params: Promise<{ id: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/lessons/{id}', role: 'viewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const { database } = await getWorkshop();
    return found(await findLesson(database, id.value), 'lesson');
  });
}

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/lessons/{id}', role: 'reviewer' });
    const id = await readId(params, 'lesson');
    if (!id.ok) return id;
    const body = await readJson(request);
    return body.ok ? editLesson(await getWorkshop(), actor, id.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/lessons/{id}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const id = await readId(params, 'lesson');
    return id.ok ? deleteLesson(await getWorkshop(), actor, id.value) : id;
  });
}
