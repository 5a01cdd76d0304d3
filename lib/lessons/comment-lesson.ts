import type { Actor } from '#lib/auth/authorize.ts';
import { personOf } from '#lib/auth/person-of.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import type { LessonComment } from '#lib/core/lesson-library.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { addComment } from './lesson-comments.ts';
import { lessonCommentSchema } from './lesson-input.ts';
import { noLesson } from './review-lesson.ts';

/** Keeps what a person has to say of a lesson (`lessonCommentSchema`), whatever state it is in. */
export async function commentLesson(
  context: AppContext,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<LessonComment>> {
  const parsed = parseInput(lessonCommentSchema, input);
  if (!parsed.ok) return parsed;
  const at = context.now();
  const comment = { id: context.newId(), actor: actor.name, text: parsed.value.text };
  const stored = { ...comment, actorId: personOf(actor), lessonId, at };
  return inTransaction(context.database, async (client): Promise<Result<LessonComment>> => {
    if (!(await addComment(client, stored))) return noLesson(lessonId);
    await recordChange(client, actor, { act: 'commented', subject: { kind: 'lesson', id: lessonId } });
    return succeed({ ...comment, createdAt: at.toISOString() });
  });
}
