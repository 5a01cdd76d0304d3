import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Problem, type Result, succeed } from '#lib/reflection/problem.ts';

const refusalSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** Sends an upload to Hone's own API and reads the answer. A refusal comes back with its words, no answer as `unavailable`. */
export async function askImport<Schema extends z.ZodType>(
  { url, init }: { url: string; init: RequestInit },
  schema: Schema,
  signal?: AbortSignal,
): Promise<Result<z.output<Schema>>> {
  try {
    const response = await fetch(url, { ...init, cache: 'no-store', ...(signal && { signal }) });
    const body: unknown = await response.json();
    if (response.ok) return succeed(schema.parse(body));
    const { message, field } = refusalSchema.parse(body).error;
    return fail(CODES[response.status] ?? 'invalid', apiRefusal(response.status, message), field ?? null);
  } catch {
    return fail('unavailable', 'Hone did not answer. Nothing was stored; try again.');
  }
}

const CODES: Record<number, Problem['code']> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  408: 'too_slow',
  413: 'too_large',
  429: 'rate_limited',
};
