'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { findApi } from '#components/api/call-api.ts';
import { UnreadEntry } from '#components/ui/unread-entry.tsx';
import type { LessonDetail } from '#lib/core/lesson-library.ts';
import { isBeingScreened } from './lesson-checks.tsx';

type ChosenLessonProps = {
  lessonId: string;
  /** What the page came with. */
  initial: LessonDetail | null;
  children: (lesson: LessonDetail) => ReactNode;
  onNext: () => void;
};

/** How a lesson is read; also ahead of time, so that the next is there at once. */
export function lessonQuery(lessonId: string) {
  return {
    queryKey: ['lesson', lessonId],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      findApi('GET /api/v1/lessons/{id}', { params: { id: lessonId }, signal }),
    staleTime: 30_000,
    retry: 1,
  };
}

/** Reads the chosen lesson; until it is there no verdict can be given. */
export function ChosenLesson({ lessonId, initial, children, onNext }: ChosenLessonProps) {
  const { data, isError, refetch } = useQuery({
    ...lessonQuery(lessonId),
    refetchInterval: ({ state }) => (state.data && isBeingScreened(state.data) ? 1_500 : false),
    ...(initial?.id === lessonId ? { initialData: initial } : {}),
  });
  if (data) return children(data);
  return (
    <UnreadEntry
      page="Review"
      what="lesson"
      next="Next lesson"
      isGone={data === null}
      isError={isError}
      onNext={onNext}
      onRetry={() => void refetch()}
    />
  );
}
