import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Problem, type Result, succeed } from '#lib/reflection/problem.ts';
import type { LessonFile } from './preview-import.ts';

/** What came in: how many were stored, and how many were there already. */
export type ImportedLessons = z.infer<typeof importedSchema>;

/** What is to be imported: JSON Lines, Markdown files, or an archive of such files as the export makes it. */
export type LessonImport =
  | { kind: 'lines'; text: string }
  | { kind: 'files'; files: LessonFile[] }
  | { kind: 'archive'; file: File };

const importedSchema = z.object({ stored: z.int(), present: z.int() });
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** Sends an import to the API, which takes files of any size. Nothing is stored where anything in it is wrong. */
export async function sendImport(input: LessonImport): Promise<Result<ImportedLessons>> {
  try {
    const response = await fetch('/api/v1/lessons/import', { method: 'POST', ...requestOf(input) });
    const body: unknown = await response.json();
    if (response.ok) return succeed(importedSchema.parse(body));
    const { message, field } = errorSchema.parse(body).error;
    return fail(codeOf(response.status), apiRefusal(response.status, message), field ?? null);
  } catch {
    return fail('unavailable', 'Hone did not answer. Nothing was stored; try again.');
  }
}

function requestOf(input: LessonImport): { headers: Record<string, string>; body: string | File } {
  switch (input.kind) {
    case 'lines':
      return { headers: { 'content-type': 'application/jsonl' }, body: input.text };
    case 'files':
      return {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ format: 'markdown', files: input.files }),
      };
    case 'archive':
      return { headers: { 'content-type': 'application/x-tar' }, body: input.file };
  }
}

function codeOf(status: number): Problem['code'] {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 413 ? 'too_large' : 'invalid';
}
