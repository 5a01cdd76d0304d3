import { z } from 'zod';
import { apiRefusal } from '#components/team/refusal-of.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { type KeptDraft, keptDraftSchema } from '#lib/reflection/prompt-draft.ts';

type NewDraft = { text: string; baseVersion: number | null; since: string | null };

const UNANSWERED = 'Hone did not answer. It tries again as you type.';
const refusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** Keeps a draft, or says why it is not kept. `isLeaving`: the page may be gone before the answer comes. */
export function fetchKeptDraft(name: string, draft: NewDraft, isLeaving = false): Promise<Result<KeptDraft>> {
  const init = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(draft),
    keepalive: isLeaving,
  };
  return ask(addressOf(name), init, async (response) => keptDraftSchema.parse(await response.json()));
}

/** Forgets the draft that was last kept at `since`, or says why it is still there. */
export function fetchLeftDraft(name: string, since: string): Promise<Result<null>> {
  return ask(`${addressOf(name)}?since=${encodeURIComponent(since)}`, { method: 'DELETE' }, async () => null);
}

async function ask<Value>(
  address: string,
  init: RequestInit,
  read: (response: Response) => Promise<Value>,
): Promise<Result<Value>> {
  try {
    const response = await fetch(address, init);
    if (response.ok) return succeed(await read(response));
    const { message } = refusalSchema.parse(await response.json()).error;
    return fail('unavailable', apiRefusal(response.status, message));
  } catch {
    return fail('unavailable', UNANSWERED);
  }
}

function addressOf(name: string): string {
  return `/api/v1/prompts/${encodeURIComponent(name)}/draft`;
}
