import { isTooDeep, MAX_DEPTH } from '#lib/reflection/is-too-deep.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { type ExchangedLesson, exchangedLessonSchema } from './exchanged-lesson.ts';

/** A lesson as one line of JSONL, without its line end. */
export function writeLessonLine(lesson: ExchangedLesson): string {
  return JSON.stringify(lesson);
}

/** Lessons out of a JSONL text, one a line; empty lines are passed over. A bad line is named by its number, from 1, and what is wrong in it. */
export function readLessonLines(text: string): Result<ExchangedLesson[]> {
  const lessons: ExchangedLesson[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue;
    const read = readLine(line, `line ${index + 1}`);
    if (!read.ok) return read;
    lessons.push(read.value);
  }
  return succeed(lessons);
}

function readLine(line: string, place: string): Result<ExchangedLesson> {
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
