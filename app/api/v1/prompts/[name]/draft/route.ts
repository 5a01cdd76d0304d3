import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { keepPromptDraft, leavePromptDraft } from '#lib/runs/prompts/keep-prompt-draft.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { leaveDraftQuery } from '../../../queries.ts';
import { readJson, refuseBody } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';
import { readQuery } from '../../../read-query.ts';

type Named = { params: Promise<{ name: string }> };

/** Keeps what the caller is writing, until it is saved as a version. */
export async function PUT(request: Request, { params }: Named): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PUT /api/v1/prompts/{name}/draft', role: 'editor' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const body = await readJson(request);
    if (!body.ok) return body;
    return keepPromptDraft(await getWorkshop(), actor, name.value, body.value);
  });
}

/** Leaves the caller's draft; `since` says which state of it they mean. */
export async function DELETE(request: Request, { params }: Named): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/prompts/{name}/draft', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const query = readQuery(request, leaveDraftQuery);
    if (!query.ok) return query;
    return leavePromptDraft(await getWorkshop(), actor, name.value, query.value.since);
  });
}
