import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import type { ShownPairs } from '#lib/measures/blind-pairs.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import type { BlindAnswer } from './blind-state.ts';

const pairsSchema = z.object({
  items: z.array(z.object({ pair: z.string(), task: z.string(), left: z.string(), right: z.string() })),
  judged: z.int(),
  remaining: z.int(),
});
const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** Asks for the next pairs. */
export async function fetchPairs(experimentId: string, limit: number): Promise<Result<ShownPairs>> {
  try {
    const response = await fetch(`/api/v1/experiments/${encodeURIComponent(experimentId)}/blind-pairs?limit=${limit}`);
    const body: unknown = await response.json();
    return response.ok
      ? succeed(pairsSchema.parse(body))
      : fail('unavailable', apiRefusal(response.status, refusalSchema.parse(body).error.message));
  } catch {
    return unanswered();
  }
}

/**
 * Sends an answer; it arrives also when the page is being left. Not a server action: those end with their page. What is said
 * twice is no problem: the first word stands.
 */
export async function sendPreference(
  experimentId: string,
  { pair, choice, seconds }: BlindAnswer,
): Promise<Result<null>> {
  try {
    const response = await fetch(`/api/v1/experiments/${encodeURIComponent(experimentId)}/preferences`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ pair: pair.pair, choice, seconds }),
      keepalive: true,
    });
    if (response.ok || response.status === 409) return succeed(null);
    return fail('unavailable', apiRefusal(response.status, refusalSchema.parse(await response.json()).error.message));
  } catch {
    return unanswered();
  }
}

function unanswered(): Result<never> {
  return fail('unavailable', 'Hone did not answer. Check that it still runs, then try again.');
}
