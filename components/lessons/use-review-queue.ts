import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { readApi } from '#components/api/call-api.ts';
import { WAITING_COUNT } from '#components/layout/use-waiting-count.ts';
import { useToast } from '#components/ui/toaster.tsx';
import type { LessonOpinion } from '#lib/assignments/schema.ts';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import type { LessonActions } from './lesson-actions.ts';
import {
  countsLeft,
  isToReview,
  REVIEW_PAGE,
  REVIEW_SELECTIONS,
  type ReviewCounts,
  type ReviewMarks,
  type ReviewPart,
  reviewCounts,
} from './review-queue.ts';
import { type SaidVerdict, useHeldVerdict } from './use-held-verdict.ts';

/** How many are shown of what was decided here. */
const MOST_SHOWN = 5;

/** A verdict that was stored, and when. */
export type DecidedLesson = SaidVerdict & { at: string };

/** A lesson a verdict was given on. */
type DoneLesson = Pick<LessonListItem, 'id' | 'status' | 'admission'>;

/**
 * The lessons that wait for a review, less those a verdict was given on here: it is held back for a moment, sent, and remembered; one
 * that is taken back or refused brings its lesson back. `counts`: how many waited when the page was read; `marks`: which of them
 * each part lists that lessons do not tell themselves. `onObjected`: votes against a lesson that was promoted are to be confirmed.
 */
export function useReviewQueue(
  queue: readonly LessonListItem[],
  counts: ReviewCounts,
  marks: ReviewMarks,
  review: LessonActions['review'],
  onObjected: (said: SaidVerdict, objections: readonly LessonOpinion[]) => void,
) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<ReadonlyMap<string, DoneLesson>>(new Map());
  const [decided, setDecided] = useState<{ latest: DecidedLesson[]; count: number }>({ latest: [], count: 0 });
  const [refused, setRefused] = useState<{ said: SaidVerdict; message: string } | null>(null);
  // Two keys may come before the page is drawn anew.
  const latestDone = useRef(done);

  function setIsDone(lessonId: string, lesson: DoneLesson | null) {
    const next = new Map(latestDone.current);
    if (lesson === null) next.delete(lessonId);
    else next.set(lessonId, lesson);
    latestDone.current = next;
    setDone(next);
  }

  const bringBack = (said: SaidVerdict, message: string) => {
    setIsDone(said.lessonId, null);
    setRefused({ said, message });
  };
  const { held, isBusy, give, giveNow, undo, sendNow } = useHeldVerdict({
    review,
    onSent: (said) => {
      setDecided(({ latest, count }) => ({
        latest: [{ ...said, at: new Date().toISOString() }, ...latest].slice(0, MOST_SHOWN),
        count: count + 1,
      }));
      void queryClient.invalidateQueries({ queryKey: WAITING_COUNT });
      void queryClient.invalidateQueries({ queryKey: ['lesson', said.lessonId] });
    },
    onPending: (said, { why, message, objections }) => {
      if (why === 'second_person') return toast(message);
      bringBack(said, message);
      onObjected(said, objections);
    },
    onRefused: (said, { message }) => {
      bringBack(said, `${message} The decision was not saved.`);
      void queryClient.invalidateQueries({ queryKey: ['lesson', said.lessonId] });
    },
  });

  // Counts that were read anew leave out what was stored before.
  const counted = useRef({ counts, stored: new Set<string>() });
  if (counted.current.counts !== counts)
    counted.current = { counts, stored: new Set([...done.keys()].filter((id) => id !== held?.lessonId)) };
  const decidedSince = [...done.values()].filter(
    (lesson) => isToReview(lesson) && !counted.current.stored.has(lesson.id),
  );

  return {
    counts: countsLeft(counts, reviewCounts(decidedSince, marks)),
    lessons: queue.filter(({ id }) => !done.has(id)),
    held,
    isBusy,
    decided,
    refused,
    forgetRefused: () => setRefused(null),
    give: (said: SaidVerdict, lesson: DoneLesson) => {
      setIsDone(said.lessonId, lesson);
      setRefused(null);
      give(said);
    },
    /** Gives a verdict that cannot be taken back; true where nothing more is asked of the person. */
    giveNow: async (said: SaidVerdict, lesson: DoneLesson) => {
      setRefused(null);
      const isDone = await giveNow(said);
      if (isDone) setIsDone(said.lessonId, lesson);
      return isDone;
    },
    /** Takes the held verdict back and answers what it was. */
    undo: () => {
      const said = undo();
      if (said !== null) setIsDone(said.lessonId, null);
      return said;
    },
    sendNow,
  };
}

/** The beginning of a part of the queue, as the page came with it. */
export type FirstReviews = { part: ReviewPart; items: readonly LessonListItem[]; nextCursor: string | null };

/** A part of the queue, read page by page; `refresh` reads all pages anew that were read so far. */
export function useReviewList(part: ReviewPart, { part: firstPart, ...first }: FirstReviews) {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: ['review', part],
    queryFn: ({ pageParam, signal }) => fetchReviews(part, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: Number.POSITIVE_INFINITY,
    // Who comes back to the page sees what it came with then.
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

function fetchReviews(
  part: ReviewPart,
  cursor: string | null,
  signal: AbortSignal,
): Promise<{ items: readonly LessonListItem[]; nextCursor: string | null }> {
  const query = { only: REVIEW_SELECTIONS[part], limit: REVIEW_PAGE, cursor };
  return readApi('GET /api/v1/lessons', { query, signal });
}
