import { type RunRecord, runRecordSchema } from '#lib/reflection/run-record.ts';

/** Reads a run's record from the API, of what tools answered the beginnings unless all is asked for. Throws when it does not answer with one. */
export async function fetchRunRecord(
  runId: string,
  signal: AbortSignal,
  texts: 'short' | 'whole' = 'short',
): Promise<RunRecord> {
  const address = `/api/v1/runs/${encodeURIComponent(runId)}?texts=${texts}`;
  const response = await fetch(address, { signal, cache: 'no-store' });
  if (!response.ok) throw new Error(`The run could not be read (${response.status}).`);
  return runRecordSchema.parse(await response.json());
}
