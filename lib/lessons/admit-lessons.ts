import type { AppContext } from '#lib/context/app-context.ts';
import { admitLesson } from './admit-lesson.ts';
import { lessonsToAdmit } from './lesson-admission.ts';
import { retainDeferred } from './retain-lessons.ts';

/** Most lessons that are looked for at once. */
const AT_ONCE = 50;

/**
 * Admits the lessons that wait, oldest first, until none does or `signal` says stop. Answers how many. Safe beside other workers. One that
 * can't be admitted keeps none of the others from it: what went wrong is thrown when they are through. Then archives what agents have
 * beyond their retention and runs no longer use.
 */
export async function admitLessons(context: AppContext, signal: AbortSignal): Promise<number> {
  let admitted = 0;
  for (;;) {
    const ids = await lessonsToAdmit(context.database, AT_ONCE);
    const errors: unknown[] = [];
    for (const id of ids) {
      if (signal.aborted) return admitted;
      try {
        if ((await admitLesson(context, id)) !== 'changed') admitted++;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} lessons could not be admitted`);
    if (ids.length < AT_ONCE) {
      await retainDeferred(context, signal);
      return admitted;
    }
  }
}
