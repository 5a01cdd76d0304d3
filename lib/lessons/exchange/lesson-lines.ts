import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { isTooDeep, MAX_DEPTH } from '#lib/input/is-too-deep.ts';
import { type ExchangedLesson, exchangedLessonSchema } from './exchanged-lesson.ts';

/** A lesson as one line of JSONL, without its line end. */
export function writeLessonLine(lesson: ExchangedLesson): string {
  return JSON.stringify(lesson);
}

/** Reads a lesson out of one line of JSONL. `place` names the line in what is wrong with it, such as `line 3`. */
export function readLessonLine(line: string, place: string): Result<ExchangedLesson> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return fail('invalid', `${place} is not JSON (${error instanceof Error ? error.message : String(error)}).`, place);
  }
  if (isTooDeep(value)) return fail('invalid', `${place} is nested deeper than ${MAX_DEPTH} levels.`, place);
  const read = exchangedLessonSchema.safeParse(value);
  if (read.success) return succeed(read.data);
  const issue = read.error.issues[0];
  const path = issue?.path.join('.') ?? '';
  return fail('invalid', `${place}: ${path === '' ? 'the lesson' : path} ${issue?.message ?? 'is wrong'}.`, place);
}
