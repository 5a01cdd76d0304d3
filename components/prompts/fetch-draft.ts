import { type KeptDraft, keptDraftSchema } from '#lib/reflection/prompt-draft.ts';

type NewDraft = { text: string; baseVersion: number | null; since: string | null };

/** Keeps a draft; null where Hone did not answer. `isLeaving`: the page may be gone before the answer comes. */
export async function fetchKeptDraft(name: string, draft: NewDraft, isLeaving = false): Promise<KeptDraft | null> {
  try {
    const response = await fetch(addressOf(name), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(draft),
      keepalive: isLeaving,
    });
    return response.ok ? keptDraftSchema.parse(await response.json()) : null;
  } catch {
    return null;
  }
}

/** Forgets the draft that was last kept at `since`; whether Hone answered. */
export async function fetchLeftDraft(name: string, since: string): Promise<boolean> {
  try {
    const response = await fetch(`${addressOf(name)}?since=${encodeURIComponent(since)}`, { method: 'DELETE' });
    return response.ok;
  } catch {
    return false;
  }
}

function addressOf(name: string): string {
  return `/api/v1/prompts/${encodeURIComponent(name)}/draft`;
}
