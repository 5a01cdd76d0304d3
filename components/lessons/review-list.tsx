import { BookOpen, ShieldAlert } from 'lucide-react';
import { QueueEntry, QueueList } from '#components/ui/queue-list.tsx';
import { formatTitle } from '#lib/format.ts';
import type { LessonListItem } from '#lib/reflection/lesson-library.ts';
import { kindWords, lessonTitle, scopeWords } from './lesson-words.ts';

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
            glyph={isHeld ? <ShieldAlert className="i" aria-hidden /> : <BookOpen className="i" aria-hidden />}
            title={formatTitle(lessonTitle(lesson), 90) || 'An empty lesson'}
            since={lesson.createdAt}
            now={now}
            isChosen={isChosen}
            onChoose={() => onChoose(lesson.id)}
          >
            <span className="m trunc">
              {isHeld ? <span className="worse">held by the screening · </span> : null}
              {kindWords(lesson.kind)} · {lesson.createdBy === 'import' ? 'imported' : scopeWords(lesson.scope)}
            </span>
          </QueueEntry>
        );
      }}
    </QueueList>
  );
}
