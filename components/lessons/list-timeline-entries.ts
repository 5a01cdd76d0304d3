import type { LessonOpinion } from '#lib/assignments/schema.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { VERDICT_LABELS, VOTE_LABELS } from './lesson-labels.ts';

/** Timeline entry of a person or of Hone. `text`: their comment or reason. */
export type LessonTimelineEntry = { key: string; who: string | null; words: string; text: string | null; at: string };

type Talk = Pick<LessonDetail, 'reviews' | 'comments' | 'edits' | 'createdAt' | 'editCount'>;

/** Returns the timeline of a lesson, newest first. `votes`: the visible ones. A vote that came with a review decision is not repeated. */
export function listTimelineEntries(lesson: Talk, votes: readonly LessonOpinion[]): LessonTimelineEntry[] {
  const entries: LessonTimelineEntry[] = [
    ...lesson.reviews.map(({ number, verdict, reason, actor, createdAt }) => ({
      key: `review ${number}`,
      who: actor,
      words: VERDICT_LABELS[verdict].done,
      text: reason === '' ? null : reason,
      at: createdAt,
    })),
    ...votes
      .filter(({ actor, createdAt }) => !lesson.reviews.some((it) => it.actor === actor && it.createdAt === createdAt))
      .map(({ actor, isMine, verdict, reason, editCount, createdAt }) => ({
        key: `vote ${actor} ${editCount}`,
        who: isMine ? 'You' : actor,
        words: `${VOTE_LABELS[verdict].done}${editCount < lesson.editCount ? ', an earlier text: it does not count' : ''}`,
        text: reason,
        at: createdAt,
      })),
    ...lesson.comments.map(({ id, actor, text, createdAt }) => ({
      key: `comment ${id}`,
      who: actor,
      words: 'said',
      text,
      at: createdAt,
    })),
    ...lesson.edits.map(({ number, actor, createdAt }) => ({
      key: `edit ${number}`,
      who: actor,
      words: 'edited',
      text: null,
      at: createdAt,
    })),
    { key: 'stored', who: null, words: 'Stored as a candidate', text: null, at: lesson.createdAt },
  ];
  return entries.toSorted((a, b) => b.at.localeCompare(a.at));
}
