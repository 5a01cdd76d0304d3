import type { LoadedLesson } from '#lib/db/load-lesson.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { isLocalOwner } from '#lib/team/local-owner.ts';
import { personOf } from '#lib/team/person-of.ts';

/** Whether somebody, or their token, wrote or edited a lesson, where there are others who could judge it. */
export function isOwnWork(lesson: Pick<LoadedLesson, 'authorId' | 'editors'>, actor: Actor): boolean {
  return !isLocalOwner(actor) && isWorkOf(lesson, personOf(actor));
}

/** Whether a person, by the id of `personOf`, wrote or edited a lesson. */
export function isWorkOf({ authorId, editors }: Pick<LoadedLesson, 'authorId' | 'editors'>, person: string): boolean {
  return authorId === person || editors.some(({ actorId }) => actorId === person);
}
