import { readApi } from '#components/api/call-api.ts';
import type { RunRecord } from '#lib/core/run-record.ts';

/** Reads a run's record from the API, of what tools answered the beginnings unless all is asked for. Throws when it does not answer with one. */
export function fetchRunRecord(
  runId: string,
  signal: AbortSignal,
  texts: 'short' | 'whole' = 'short',
): Promise<RunRecord> {
  return readApi('GET /api/v1/runs/{id}', { params: { id: runId }, query: { texts }, signal });
}
