import { BookOpen, ShieldAlert } from 'lucide-react';
import { ActionBar } from '#components/ui/action-bar.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { QueueNote } from '#components/ui/queue.tsx';
import { QueueEntry, QueueList } from '#components/ui/queue-list.tsx';
import { useModEnter } from '#components/ui/use-mod-enter.ts';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import { kindLabel, lessonTitle, scopeLabel } from './lesson-labels.ts';
import type { UnsentVerdict } from './use-unsent-verdict.ts';
import { UnsentVerdictBar } from './verdict-bar.tsx';

type ReviewListProps = {
  lessons: readonly LessonListItem[];
  total: number;
  chosen: string | null;
  onChoose: (id: string) => void;
  onNearEnd: (() => void) | undefined;
};

/** Lists the lessons waiting for review. */
export function ReviewList({ lessons, total, chosen, onChoose, onNearEnd }: ReviewListProps) {
  return (
    <QueueList entries={lessons} total={total} chosen={chosen} testId="review-list" onNearEnd={onNearEnd}>
      {(lesson, isChosen) => {
        const isHeld = lesson.admission === 'held';
        return (
          <QueueEntry
            glyph={isHeld ? <ShieldAlert /> : <BookOpen />}
            title={formatTitle(lessonTitle(lesson), 90) || 'An empty lesson'}
            since={lesson.createdAt}
            isChosen={isChosen}
            onChoose={() => onChoose(lesson.id)}
          >
            <QueueNote className="truncate">
              {isHeld ? <span className="text-worse">held by screening · </span> : null}
              {kindLabel(lesson.kind)} · {lesson.createdBy === 'import' ? 'imported' : scopeLabel(lesson.scope)}
            </QueueNote>
          </QueueEntry>
        );
      }}
    </QueueList>
  );
}

type ReviewEmptyProps = {
  /** Number of lessons in the other parts of the queue. */
  all: number;
  /** Number of waiting lessons that are not listed yet. */
  unseen: number;
  /** Number of lessons decided on this page. */
  decided: number;
  unsent: UnsentVerdict | null;
  onUndo: () => void;
  onSendNow: () => void;
  onShowAll: () => void;
  onShowUnseen: () => void;
};

/** Shown if nothing is left to review: the reason, one action, and undo for the last decision while possible. */
export function ReviewEmpty({
  all,
  unseen,
  decided,
  unsent,
  onUndo,
  onSendNow,
  onShowAll,
  onShowUnseen,
}: ReviewEmptyProps) {
  useModEnter(unsent === null ? null : onSendNow);
  const done = decided > 0 ? `. You decided ${decided}.` : '';
  return (
    <>
      <Pane className="border-b-0" data-testid="review-empty">
        <h1>{all > 0 ? `No lessons match the filter${done}` : `No lessons to review${done}`}</h1>
        <p className="mt-0.5 mb-3 text-ink-2">
          {all > 0
            ? `${formatNumberOf(all, 'other lesson')} to review.`
            : 'New lessons appear here once they are screened.'}
        </p>
        {all > 0 ? (
          <Button onClick={onShowAll}>Show all {all}</Button>
        ) : unseen > 0 ? (
          <Button onClick={onShowUnseen}>Show {formatNumberOf(unseen, 'new lesson')}</Button>
        ) : (
          <Button asChild>
            <Link href="/lessons">View library</Link>
          </Button>
        )}
      </Pane>
      {unsent === null ? null : (
        <ActionBar aria-label="Your review" data-testid="verdict-bar">
          <UnsentVerdictBar unsent={unsent} onUndo={onUndo} onSendNow={onSendNow} />
        </ActionBar>
      )}
    </>
  );
}
