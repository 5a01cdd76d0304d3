import { callApi } from '#components/api/call-api.ts';
import type { ShownPairs } from '#lib/blind-review/blind-pairs.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { BlindAnswer } from './blind-state.ts';

/** Asks for the next pairs. */
export function fetchPairs(experimentId: string, limit: number): Promise<Result<ShownPairs>> {
  return callApi('GET /api/v1/experiments/{id}/blind-pairs', { params: { id: experimentId }, query: { limit } });
}

/**
 * Sends an answer; it arrives also when the page is being left. Not a server action: those end with their page. What is said
 * twice is no problem: the first word stands.
 */
export async function sendPreference(
  experimentId: string,
  { pair, choice, seconds }: BlindAnswer,
): Promise<Result<null>> {
  const sent = await callApi('POST /api/v1/experiments/{id}/preferences', {
    params: { id: experimentId },
    body: { pair: pair.pair, choice, seconds },
    keepalive: true,
  });
  return sent.ok || sent.problem.code === 'conflict' ? succeed(null) : sent;
}
