import { type ApiBody, callApi } from '#components/api/call-api.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import type { KeptDraft } from '#lib/prompts/prompt-draft.ts';

/** Keeps a draft, or says why it is not kept. `isLeaving`: the page may be gone before the answer comes. */
export function fetchKeptDraft(
  name: string,
  body: ApiBody<'PUT /api/v1/prompts/{name}/draft'>,
  isLeaving = false,
): Promise<Result<KeptDraft>> {
  return callApi('PUT /api/v1/prompts/{name}/draft', { params: { name }, body, keepalive: isLeaving });
}

/** Forgets the draft that was last kept at `since`, or says why it is still there. */
export async function fetchLeftDraft(name: string, since: string): Promise<Result<null>> {
  const left = await callApi('DELETE /api/v1/prompts/{name}/draft', { params: { name }, query: { since } });
  return left.ok ? succeed(null) : left;
}
