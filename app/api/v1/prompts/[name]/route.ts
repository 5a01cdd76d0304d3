import { fail } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { deletePrompt } from '#lib/runs/prompts/delete-prompt.ts';
import { getPromptText } from '#lib/runs/prompts/get-prompt-text.ts';
import { updatePromptSetup } from '#lib/runs/prompts/update-prompt-setup.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { promptTextQuery } from '../../queries.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { readName } from '../../read-name.ts';
import { readQuery } from '../../read-query.ts';

type Context = { params: Promise<{ name: string }> };

export async function GET(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/prompts/{name}', role: 'viewer' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const query = readQuery(request, promptTextQuery);
    if (!query.ok) return query;
    const { label, version } = query.value;
    if (label !== undefined && version !== undefined)
      return fail('invalid', 'Ask by label or by version, not by both.', 'version');
    const by = version !== undefined ? { version } : label !== undefined ? { label } : 'newest';
    return getPromptText(await getWorkshop(), name.value, by);
  });
}

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/prompts/{name}', role: 'editor' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const body = await readJson(request);
    return body.ok ? updatePromptSetup(await getWorkshop(), actor, name.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/prompts/{name}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'prompt');
    return name.ok ? deletePrompt(await getWorkshop(), actor, name.value) : name;
  });
}
