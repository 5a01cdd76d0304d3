import { callApi } from '#components/api/call-api.ts';
import { type Result, succeed } from '#lib/core/problem.ts';

/**
 * Asks for a reflection on a version. Not a server action: those of one page run one after another, and a model may take
 * its time.
 */
export async function askForReflection(runId: string, version: number): Promise<Result<null>> {
  const asked = await callApi('POST /api/v1/runs/{id}/reflections', { params: { id: runId }, body: { version } });
  return asked.ok ? succeed(null) : asked;
}
