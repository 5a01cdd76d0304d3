import { callApi } from '#components/api/call-api.ts';
import type { Result } from '#lib/core/problem.ts';
import type { RunImport } from '#lib/exchange/run-import.ts';

/** What is sent, and how it is to be taken; an empty name leaves it to the lines. */
export type RunImportRequest = { content: Blob; name: string; solvedFrom: string; dryRun: boolean };

/** Sends past runs to the API, which takes files of up to 50 MB; a dry run only tells what would come. */
export function sendRunImport({ content, name, solvedFrom, dryRun }: RunImportRequest): Promise<Result<RunImport>> {
  const query = {
    dryRun: dryRun ? ('true' as const) : ('false' as const),
    name: name.trim() === '' ? null : name,
    solvedFrom: solvedFrom.trim() === '' ? null : solvedFrom.trim(),
  };
  return callApi('POST /api/v1/runs/import', { query, file: { type: 'application/jsonl', content } });
}
