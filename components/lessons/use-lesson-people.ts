import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '#components/api/call-api.ts';
import type { LessonPeople } from '#lib/assignments/schema.ts';
import type { LessonDetail } from '#lib/core/lesson-library.ts';

/** Those who work on a lesson, as who looks sees it; undefined until it is read, and where it can't be. `put` shows a change at once. */
export function useLessonPeople(lesson: Pick<LessonDetail, 'id' | 'editCount' | 'status' | 'comments'>) {
  const queryClient = useQueryClient();
  const { id, editCount, status, comments } = lesson;
  const queryKey = ['lesson-people', id, editCount, status, comments.length];
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi('GET /api/v1/lessons/{id}/people', { params: { id }, signal }),
  });
  const people = data?.ok ? data.value : undefined;
  return {
    people,
    put: (change: Partial<LessonPeople>) => {
      if (people !== undefined) queryClient.setQueryData(queryKey, { ok: true, value: { ...people, ...change } });
    },
  };
}
