import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LessonDetail } from '#lib/reflection/lesson-library.ts';
import { type LessonPeople, lessonPeopleSchema } from '#lib/reflection/team-work.ts';
import { askApi } from './ask-api.ts';

/** Those who work on a lesson, as who looks sees it; undefined until it is read, and where it can't be. `put` shows a change at once. */
export function useLessonPeople(lesson: Pick<LessonDetail, 'id' | 'editCount' | 'status' | 'comments'>) {
  const queryClient = useQueryClient();
  const { id, editCount, status, comments } = lesson;
  const queryKey = ['lesson-people', id, editCount, status, comments.length];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => askApi(`/lessons/${encodeURIComponent(id)}/people`, lessonPeopleSchema, { signal }),
  });
  const people = data?.ok ? data.value : undefined;
  return {
    people,
    put: (change: Partial<LessonPeople>) => {
      if (people !== undefined) queryClient.setQueryData(queryKey, { ok: true, value: { ...people, ...change } });
    },
  };
}
