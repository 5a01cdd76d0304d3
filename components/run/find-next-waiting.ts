import { z } from 'zod';

const answer = z.object({ items: z.array(z.object({ id: z.string() })) });

/** Returns the id of another waiting run of the same experiment; null when there is none or the app does not answer. */
export async function findNextWaiting(run: { id: string; experimentId: string }): Promise<string | null> {
  try {
    const response = await fetch(`/api/v1/runs?status=waiting&limit=2&experimentId=${run.experimentId}`);
    if (!response.ok) return null;
    const { items } = answer.parse(await response.json());
    return items.find(({ id }) => id !== run.id)?.id ?? null;
  } catch {
    return null;
  }
}
