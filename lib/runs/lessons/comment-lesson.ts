import { inTransaction } from '#lib/db/in-transaction.ts';
import { addComment } from '#lib/db/lesson-comments.ts';
import type { LessonComment } from '#lib/reflection/lesson-library.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { personOf } from '#lib/team/person-of.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';
import { lessonCommentSchema } from './lesson-input.ts';
import { noLesson } from './review-lesson.ts';

/** Keeps what a person has to say of a lesson (`lessonCommentSchema`), whatever state it is in. */
export async function commentLesson(
  workshop: Workshop,
  actor: Actor,
  lessonId: string,
  input: unknown,
): Promise<Result<LessonComment>> {
  const parsed = parseInput(lessonCommentSchema, input);
  if (!parsed.ok) return parsed;
  const at = workshop.now();
  const comment = { id: workshop.newId(), actor: actor.name, text: parsed.value.text };
  const stored = { ...comment, actorId: personOf(actor), lessonId, at };
  return inTransaction(workshop.database, async (client): Promise<Result<LessonComment>> => {
    if (!(await addComment(client, stored))) return noLesson(lessonId);
    await recordChange(client, actor, { act: 'commented', subject: { kind: 'lesson', id: lessonId } });
    return succeed({ ...comment, createdAt: at.toISOString() });
  });
}
