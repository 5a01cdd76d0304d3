import { z } from 'zod';

const answer = z.object({ items: z.array(z.object({ id: z.string() })) });

/** The id of another run that waits for a person; null when there is none, or the app does not answer. */
export async function findNextWaiting(runId: string): Promise<string | null> {
  try {
    const response = await fetch('/api/v1/runs?status=waiting&limit=2');
    if (!response.ok) return null;
    const { items } = answer.parse(await response.json());
    return items.find(({ id }) => id !== runId)?.id ?? null;
  } catch {
    return null;
  }
}
