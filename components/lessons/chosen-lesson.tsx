'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import type { LessonDetail } from '#lib/reflection/lesson-library.ts';
import { fetchLesson } from './fetch-lesson.ts';
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
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchLesson(lessonId, signal),
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
  if (data === null)
    return (
      <section className="pane border-b-0">
        <h1>This lesson is not there any more</h1>
        <p className="muted mt-0.5 mb-3">It was deleted, or its address is mistyped.</p>
        <Button onClick={onNext}>Next lesson</Button>
      </section>
    );
  if (isError)
    return (
      <section className="pane border-b-0">
        <h1>Review</h1>
        <Notice tone="worse" alert title="The lesson could not be read.">
          Nothing was changed. Check that Hone still runs.{' '}
          <Button size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      </section>
    );
  return (
    <section className="pane border-b-0" aria-busy="true">
      <h1 className="vh">Review</h1>
      <p className="muted late">Reading the lesson</p>
    </section>
  );
}
