import { type ApiBody, callApi } from '#components/api/call-api.ts';
import type { Result } from '#lib/core/problem.ts';
import type { TriedCriterion } from '#lib/evaluators/tried-criterion.ts';

/** Has an output scored by a criterion; null when `signal` called it off. */
export async function fetchTriedCriterion(input: object, signal: AbortSignal): Promise<Result<TriedCriterion> | null> {
  // As it stands in the form: the API says what is missing or wrong.
  const body = input as ApiBody<'POST /api/v1/experiments/try-criterion'>;
  const tried = await callApi('POST /api/v1/experiments/try-criterion', { body, signal });
  return signal.aborted ? null : tried;
}
