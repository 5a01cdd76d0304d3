import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readApi } from '#components/api/call-api.ts';
import type { LessonListItem } from '#lib/core/lesson-library.ts';
import { REVIEW_SELECTIONS, type ReviewPart } from './review-queue.ts';

/** Lessons that are read at once. */
export const REVIEW_PAGE = 50;

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
