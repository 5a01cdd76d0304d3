import type { AppContext } from '#lib/context/app-context.ts';
import { type Download, textChunks } from '#lib/formats/download.ts';
import { type TarFile, writeTar } from '#lib/formats/tar.ts';
import { lessonPath, writeLessonLine } from '#lib/lessons/exchange/exchanged-lesson.ts';
import { writeLessonMarkdown } from '#lib/lessons/exchange/lesson-markdown.ts';
import { type WalkedLesson, type WalkedPart, walkLessons } from './queries.ts';

/**
 * Exports a part of the library as a download: JSON Lines, or a tar with one Markdown file per lesson. Streamed as the client reads.
 * `year`: only lessons archived that year, and `status` is ignored.
 */
export function exportLessons(
  { database }: AppContext,
  { format, kind, status, year }: WalkedPart & { format: 'jsonl' | 'markdown' },
): Download {
  const lessons = walkLessons(database, { kind, status: year === null ? status : 'archived', year });
  const name = year === null ? 'lessons' : `lessons-${year}`;
  return format === 'jsonl'
    ? { type: 'application/x-ndjson', name: `${name}.jsonl`, chunks: textChunks(lines(lessons)) }
    : { type: 'application/x-tar', name: `${name}.tar`, chunks: writeTar(markdownFiles(lessons)) };
}

async function* lines(lessons: AsyncIterable<WalkedLesson>): AsyncGenerator<string> {
  for await (const lesson of lessons) yield `${writeLessonLine(lesson)}\n`;
}

async function* markdownFiles(lessons: AsyncIterable<WalkedLesson>): AsyncGenerator<TarFile> {
  const usedPaths = new Set<string>();
  for await (const lesson of lessons) {
    const name = lessonPath(lesson, usedPaths);
    usedPaths.add(name);
    yield { name, bytes: Buffer.from(writeLessonMarkdown(lesson)), modifiedAt: new Date(lesson.createdAt) };
  }
}
