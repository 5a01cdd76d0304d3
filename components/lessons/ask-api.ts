import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Problem, type Result, succeed } from '#lib/reflection/problem.ts';

const CODES: Problem['code'][] = [
  'invalid',
  'not_found',
  'conflict',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'unavailable',
];
const refusalSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
});

/** Asks Hone's own API and reads the answer; `body` makes it a POST, unless `method` says otherwise. A refusal comes back with its words, no answer as `unavailable`. */
export async function askApi<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { body, method, signal }: { body?: object; method?: 'PATCH' | 'DELETE'; signal?: AbortSignal } = {},
): Promise<Result<z.output<Schema>>> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      cache: 'no-store',
      ...(signal && { signal }),
      ...(method && { method }),
      ...(body && {
        method: method ?? 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return succeed(schema.parse(answer));
    const { code, message, field } = refusalSchema.parse(answer).error;
    return fail(
      CODES.find((known) => known === code) ?? 'unavailable',
      apiRefusal(response.status, message),
      field ?? null,
    );
  } catch {
    return fail('unavailable', 'Hone did not answer. Try again.');
  }
}
