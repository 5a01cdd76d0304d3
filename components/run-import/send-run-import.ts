import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Problem, type Result, succeed } from '#lib/reflection/problem.ts';
import { type RunImport, runImportSchema } from '#lib/reflection/run-import.ts';

/** What is sent, and how it is to be taken; an empty name leaves it to the lines. */
export type RunImportRequest = { content: Blob; name: string; solvedFrom: string; dryRun: boolean };

const errorSchema = z.object({ error: z.object({ message: z.string(), field: z.string().optional() }) });

/** Sends past runs to the API, which takes files of up to 50 MB; a dry run only tells what would come. */
export async function sendRunImport({
  content,
  name,
  solvedFrom,
  dryRun,
}: RunImportRequest): Promise<Result<RunImport>> {
  const query = new URLSearchParams({ dryRun: String(dryRun) });
  if (name.trim() !== '') query.set('name', name);
  if (solvedFrom.trim() !== '') query.set('solvedFrom', solvedFrom.trim());
  try {
    const response = await fetch(`/api/v1/runs/import?${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/jsonl' },
      body: content,
    });
    const body: unknown = await response.json();
    if (response.ok) return succeed(runImportSchema.parse(body));
    const { message, field } = errorSchema.parse(body).error;
    return fail(codeOf(response.status), apiRefusal(response.status, message), field ?? null);
  } catch {
    return fail('unavailable', 'Hone did not answer. Nothing was stored; try again.');
  }
}

function codeOf(status: number): Problem['code'] {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 413 ? 'too_large' : 'invalid';
}
