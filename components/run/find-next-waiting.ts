import { callApi } from '#components/api/call-api.ts';

/** Returns the id of another waiting run of the same experiment; null when there is none or the app does not answer. */
export async function findNextWaiting(run: { id: string; experimentId: string }): Promise<string | null> {
  const query = { status: 'waiting' as const, limit: 2, experimentId: run.experimentId };
  const waiting = await callApi('GET /api/v1/runs', { query });
  return waiting.ok ? (waiting.value.items.find(({ id }) => id !== run.id)?.id ?? null) : null;
}
