import type { LessonDetail } from '#lib/reflection/lesson-library.ts';
import { lessonDetailSchema } from '#lib/reflection/lesson-record.ts';

/** A lesson with all that is known of it; null where there is none of this id. Throws where the app does not answer. */
export async function fetchLesson(lessonId: string, signal: AbortSignal): Promise<LessonDetail | null> {
  const response = await fetch(`/api/v1/lessons/${encodeURIComponent(lessonId)}`, { signal, cache: 'no-store' });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`The lesson could not be read (${response.status}).`);
  return lessonDetailSchema.parse(await response.json());
}
