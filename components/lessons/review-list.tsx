'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { BookOpen, ShieldAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatAge, formatMoment, formatTitle } from '#lib/format.ts';
import type { LessonListItem } from '#lib/reflection/lesson-library.ts';
import { kindWords, lessonTitle, scopeWords } from './lesson-words.ts';

type ReviewListProps = {
  lessons: readonly LessonListItem[];
  chosen: string | null;
  now: Date;
  onChoose: (id: string) => void;
};

/** Height of a usual item in pixels; each is measured once it is drawn. */
const ITEM_HEIGHT = 56;

/** Lessons that wait for a review. Of a long list only what is in sight is drawn; the chosen one is kept in sight. */
export function ReviewList({ lessons, chosen, now, onChoose }: ReviewListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const place = lessons.findIndex(({ id }) => id === chosen);
  const virtual = useVirtualizer({
    count: lessons.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ITEM_HEIGHT,
    getItemKey: (index) => lessons[index]?.id ?? index,
    initialRect: { width: 336, height: 800 },
    overscan: 8,
  });
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'auto' });
  }, [place, virtual]);
  return (
    <div ref={frame} className="qlist" data-testid="review-list">
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const lesson = lessons[index];
          return lesson ? (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={lessons.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Item lesson={lesson} isChosen={index === place} now={now} onChoose={onChoose} />
            </li>
          ) : null;
        })}
      </ol>
    </div>
  );
}

type ItemProps = { lesson: LessonListItem; isChosen: boolean; now: Date; onChoose: (id: string) => void };

function Item({ lesson, isChosen, now, onChoose }: ItemProps) {
  const isHeld = lesson.admission === 'held';
  return (
    <button
      type="button"
      className="qi"
      aria-current={isChosen ? 'true' : undefined}
      onClick={() => onChoose(lesson.id)}
    >
      {isHeld ? <ShieldAlert className="i" aria-hidden /> : <BookOpen className="i" aria-hidden />}
      <span className="a trunc">{formatTitle(lessonTitle(lesson), 90) || 'An empty lesson'}</span>
      <span className="t" title={formatMoment(lesson.createdAt)}>
        {formatAge(lesson.createdAt, now)}
      </span>
      <span className="m trunc">
        {isHeld ? <span className="worse">held by the screening · </span> : null}
        {kindWords(lesson.kind)} · {lesson.createdBy === 'import' ? 'imported' : scopeWords(lesson.scope)}
      </span>
    </button>
  );
}
