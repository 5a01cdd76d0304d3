import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Asks for a reflection on a version. Not a server action: those of one page run one after another, and a model may take
 * its time.
 */
export async function askForReflection(runId: string, version: number): Promise<Result<null>> {
  const response = await fetch(`/api/v1/runs/${encodeURIComponent(runId)}/reflections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ version }),
  });
  if (response.ok) return succeed(null);
  const refusal = refusalSchema.safeParse(await response.json().catch(() => null));
  return fail(
    'unavailable',
    refusal.success ? apiRefusal(response.status, refusal.data.error.message) : 'Hone did not answer. Try again.',
  );
}
