import type { Result } from '#lib/reflection/problem.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { deleteComment } from '#lib/runs/lessons/delete-comment.ts';
import { editComment } from '#lib/runs/lessons/edit-comment.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { readJson, refuseBody } from '../../../../read-body.ts';
import { readId } from '../../../../read-id.ts';

type Context = { params: Promise<{ id: string; commentId: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/lessons/{id}/comments/{commentId}', role: 'reviewer' });
    const at = await readPlace(params);
    if (!at.ok) return at;
    const body = await readJson(request);
    return body.ok ? editComment(await getWorkshop(), actor, at.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/lessons/{id}/comments/{commentId}', role: 'reviewer' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const at = await readPlace(params);
    return at.ok ? deleteComment(await getWorkshop(), actor, at.value) : at;
  });
}

async function readPlace(params: Context['params']): Promise<Result<{ lessonId: string; id: string }>> {
  const lesson = await readId(params, 'lesson');
  if (!lesson.ok) return lesson;
  const comment = await readId(
    params.then(({ commentId }) => ({ id: commentId })),
    'comment',
  );
  return comment.ok ? succeed({ lessonId: lesson.value, id: comment.value }) : comment;
}
