import { BookOpen, ShieldAlert } from 'lucide-react';
import { QueueNote } from '#components/ui/queue.tsx';
import { QueueEntry, QueueList } from '#components/ui/queue-list.tsx';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { formatTitle } from '#lib/format.ts';
import { kindLabel, lessonTitle, scopeLabel } from './lesson-labels.ts';

type ReviewListProps = {
  lessons: readonly LessonListItem[];
  total: number;
  chosen: string | null;
  now: Date;
  onChoose: (id: string) => void;
  onNearEnd: (() => void) | undefined;
};

/** Lessons that wait for a review. */
export function ReviewList({ lessons, total, chosen, now, onChoose, onNearEnd }: ReviewListProps) {
  return (
    <QueueList entries={lessons} total={total} chosen={chosen} testId="review-list" onNearEnd={onNearEnd}>
      {(lesson, isChosen) => {
        const isHeld = lesson.admission === 'held';
        return (
          <QueueEntry
            glyph={isHeld ? <ShieldAlert aria-hidden /> : <BookOpen aria-hidden />}
            title={formatTitle(lessonTitle(lesson), 90) || 'An empty lesson'}
            since={lesson.createdAt}
            now={now}
            isChosen={isChosen}
            onChoose={() => onChoose(lesson.id)}
          >
            <QueueNote className="truncate">
              {isHeld ? <span className="text-worse">held by the screening · </span> : null}
              {kindLabel(lesson.kind)} · {lesson.createdBy === 'import' ? 'imported' : scopeLabel(lesson.scope)}
            </QueueNote>
          </QueueEntry>
        );
      }}
    </QueueList>
  );
}
