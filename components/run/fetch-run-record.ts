import { type RunRecord, runRecordSchema } from '#lib/reflection/run-record.ts';

/** Reads a run's record from the API. Throws when it does not answer with one. */
export async function fetchRunRecord(runId: string, signal: AbortSignal): Promise<RunRecord> {
  const response = await fetch(`/api/v1/runs/${encodeURIComponent(runId)}`, { signal, cache: 'no-store' });
  if (!response.ok) throw new Error(`The run could not be read (${response.status}).`);
  return runRecordSchema.parse(await response.json());
}
