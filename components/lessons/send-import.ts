import { type ApiAnswer, callApi } from '#components/api/call-api.ts';
import type { Result } from '#lib/core/problem.ts';
import type { LessonFile } from './preview-import.ts';

/** What came in: how many were stored, and how many were there already. */
export type ImportedLessons = ApiAnswer<'POST /api/v1/lessons/import'>;

/** What is to be imported: JSON Lines, Markdown files, or an archive of such files as the export makes it. */
export type LessonImport =
  | { kind: 'lines'; text: string }
  | { kind: 'files'; files: LessonFile[] }
  | { kind: 'archive'; file: File };

/** Sends an import to the API, which takes files of any size. Nothing is stored where anything in it is wrong. */
export function sendImport(input: LessonImport): Promise<Result<ImportedLessons>> {
  return callApi('POST /api/v1/lessons/import', { file: fileOf(input) });
}

function fileOf(input: LessonImport): { type: string; content: string | File } {
  switch (input.kind) {
    case 'lines':
      return { type: 'application/jsonl', content: input.text };
    case 'files':
      return { type: 'application/json', content: JSON.stringify({ format: 'markdown', files: input.files }) };
    case 'archive':
      return { type: 'application/x-tar', content: input.file };
  }
}
