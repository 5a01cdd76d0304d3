import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { type TriedCriterion, triedCriterionSchema } from '#lib/reflection/tried-criterion.ts';

const errorSchema = z.object({ error: z.object({ message: z.string(), field: z.string().optional() }) });

/** Has an output scored by a criterion; null when `signal` called it off. */
export async function fetchTriedCriterion(input: unknown, signal: AbortSignal): Promise<Result<TriedCriterion> | null> {
  try {
    const response = await fetch('/api/v1/experiments/try-criterion', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
      signal,
    });
    const body: unknown = await response.json();
    if (response.ok) return succeed(triedCriterionSchema.parse(body));
    const { message, field } = errorSchema.parse(body).error;
    return fail('invalid', apiRefusal(response.status, message), field ?? null);
  } catch {
    if (signal.aborted) return null;
    return fail('unavailable', 'Hone did not answer. Try again.');
  }
}
