import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { readApi } from '#components/api/call-api.ts';
import { WAITING_COUNT } from '#components/layout/nav-links.tsx';
import { useDecided } from '#components/ui/decided-list.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonOpinion } from '#lib/assignments/queries.ts';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { VERDICT_LABELS } from './lesson-labels.ts';
import {
  isToReview,
  REVIEW_PAGE,
  type ReviewCounts,
  type ReviewMarks,
  type ReviewPart,
  reviewCounts,
  reviewSelection,
  subtractDecided,
} from './review-queue.ts';
import { type EnteredVerdict, useUnsentVerdict } from './use-unsent-verdict.ts';

type DoneLesson = Pick<LessonListItem, 'id' | 'status' | 'admission'>;

/**
 * Returns the review queue without the lessons decided here. Decisions are held briefly, then sent; an undone or refused one brings its
 * lesson back. `counts`: waiting lessons when the page loaded. `marks`: lesson ids of the parts that cannot be derived from a lesson.
 * `onObjected`: called if a promotion must be confirmed against opposing votes.
 */
export function useReviewQueue(
  queue: readonly LessonListItem[],
  counts: ReviewCounts,
  marks: ReviewMarks,
  onObjected: (entered: EnteredVerdict, objections: readonly LessonOpinion[]) => void,
) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<ReadonlyMap<string, DoneLesson>>(new Map());
  const { decided, addDecided } = useDecided();
  const [refused, setRefused] = useState<{ entered: EnteredVerdict; message: string } | null>(null);
  // Two key presses may arrive before the next render.
  const latestDone = useRef(done);

  function setIsDone(lessonId: string, lesson: DoneLesson | null) {
    const next = new Map(latestDone.current);
    if (lesson === null) next.delete(lessonId);
    else next.set(lessonId, lesson);
    latestDone.current = next;
    setDone(next);
  }

  const bringBack = (entered: EnteredVerdict, message: string) => {
    setIsDone(entered.lessonId, null);
    setRefused({ entered, message });
  };
  const { held, isBusy, give, giveNow, undo, sendNow } = useUnsentVerdict({
    onSent: (entered) => {
      const { lessonId, title, verdict, reason } = entered;
      const label = `${VERDICT_LABELS[verdict].done}${reason === '' ? '' : `, ${reason}`}`;
      addDecided({ href: `/lessons/${lessonId}`, title, label });
      void queryClient.invalidateQueries({ queryKey: WAITING_COUNT });
      void queryClient.invalidateQueries({ queryKey: ['lesson', lessonId] });
    },
    onPending: (entered, { why, message, objections }) => {
      if (why === 'second_person') return toast(message);
      bringBack(entered, message);
      onObjected(entered, objections);
    },
    onRefused: (entered, { message }) => {
      bringBack(entered, `${message} The decision was not saved.`);
      void queryClient.invalidateQueries({ queryKey: ['lesson', entered.lessonId] });
    },
  });

  // Refreshed counts already exclude decisions stored earlier.
  const counted = useRef({ counts, stored: new Set<string>() });
  if (counted.current.counts !== counts)
    counted.current = { counts, stored: new Set([...done.keys()].filter((id) => id !== held?.lessonId)) };
  const decidedSince = [...done.values()].filter(
    (lesson) => isToReview(lesson) && !counted.current.stored.has(lesson.id),
  );

  return {
    counts: subtractDecided(counts, reviewCounts(decidedSince, marks)),
    lessons: queue.filter(({ id }) => !done.has(id)),
    held,
    isBusy,
    decided,
    refused,
    forgetRefused: () => setRefused(null),
    give: (entered: EnteredVerdict, lesson: DoneLesson) => {
      setIsDone(entered.lessonId, lesson);
      setRefused(null);
      give(entered);
    },
    /** Sends a decision that cannot be undone. Returns true if no further input is needed. */
    giveNow: async (entered: EnteredVerdict, lesson: DoneLesson) => {
      setRefused(null);
      const isDone = await giveNow(entered);
      if (isDone) setIsDone(entered.lessonId, lesson);
      return isDone;
    },
    undo: () => {
      const undone = undo();
      if (undone !== null) setIsDone(undone.lessonId, null);
      return undone;
    },
    sendNow,
  };
}

/** First page of a part of the queue, sent with the page. */
export type FirstReviews = { part: ReviewPart; items: readonly LessonListItem[]; nextCursor: string | null };

/** Loads a part of the queue page by page. `refresh` reloads all pages loaded so far. */
export function useReviewList(part: ReviewPart, { part: firstPart, ...first }: FirstReviews) {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: ['review', part],
    queryFn: ({ pageParam: cursor, signal }): Promise<Omit<FirstReviews, 'part'>> =>
      readApi('GET /api/v1/lessons', { query: { only: reviewSelection(part), limit: REVIEW_PAGE, cursor }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    // Not cached, so that returning to the page shows its fresh data.
    gcTime: 0,
    ...(part === firstPart ? { initialData: { pages: [first], pageParams: [null] } } : {}),
  });
  const { data, isPending, isError, hasNextPage, isFetching, fetchNextPage } = list;
  return {
    lessons: data?.pages.flatMap(({ items }) => items) ?? [],
    isPending,
    isError,
    isFetching,
    hasMore: hasNextPage,
    readMore: useCallback(() => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    }, [hasNextPage, isFetching, fetchNextPage]),
    refresh: useCallback(() => void queryClient.invalidateQueries({ queryKey: ['review'] }), [queryClient]),
  };
}
