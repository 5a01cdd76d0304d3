import { findAssignments, listDeciders } from '#lib/assignments/queries.ts';
import type { LessonPeople } from '#lib/assignments/schema.ts';
import type { Actor } from '#lib/auth/authorize.ts';
import { isLocalOwner } from '#lib/auth/local-owner.ts';
import { personOf } from '#lib/auth/person-of.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { listOwnComments } from './comments.ts';
import { opinionsFor } from './give-opinion.ts';
import { listOpinions } from './lesson-opinions.ts';
import { loadLesson } from './load-lesson.ts';
import { findOwnPart, peopleOf, refusePromotion } from './own-contributions.ts';
import { noLesson } from './review-lesson.ts';

/** Those who work on a lesson, as one of them sees it: who is asked, what they think, and what of it is one's own. */
export async function findLessonPeople(
  context: Pick<AppContext, 'database'>,
  actor: Actor,
  lessonId: string,
): Promise<Result<LessonPeople>> {
  const { database } = context;
  const { prisma } = database;
  const lesson = await loadLesson(prisma, lessonId, { lock: false });
  if (lesson === null) return noLesson(lessonId);
  const people = peopleOf(lesson);
  const [own, whyNot, others] = await Promise.all([
    findOwnPart(prisma, lesson, actor),
    refusePromotion(prisma, lesson, actor),
    listDeciders(prisma, people),
  ]);
  const [assignments, opinions, ownComments] = await Promise.all([
    findAssignments(context, actor, { kind: 'lesson', id: lessonId }, others.length > 0 ? people : []),
    listOpinions(prisma, { lessonId, edit: lesson.editCount }),
    listOwnComments(database, { lessonId, actorId: personOf(actor), orUnknown: isLocalOwner(actor) }),
  ]);
  return succeed({
    ...assignments,
    ...opinionsFor(lesson, actor, { ...opinions, mayJudge: own === null || own.others.length === 0 }),
    isOwn: own !== null,
    whyNotPromote: whyNot,
    ownComments,
  });
}
