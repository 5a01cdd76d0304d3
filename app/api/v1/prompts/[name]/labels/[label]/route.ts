import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { movePromptLabel } from '#lib/runs/prompts/move-prompt-label.ts';
import { takeOffPromptLabel } from '#lib/runs/prompts/take-off-prompt-label.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../../answer.ts';
import { readJson, refuseBody } from '../../../../read-body.ts';
import { readName, readWord } from '../../../../read-name.ts';

type Context = { params: Promise<{ name: string; label: string }> };

export async function PUT(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PUT /api/v1/prompts/{name}/labels/{label}', role: 'editor' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const label = readWord((await params).label) ?? '';
    const body = await readJson(request);
    return body.ok ? movePromptLabel(await getWorkshop(), actor, name.value, label, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/prompts/{name}/labels/{label}', role: 'editor' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'prompt');
    const label = readWord((await params).label) ?? '';
    return name.ok ? takeOffPromptLabel(await getWorkshop(), actor, name.value, label) : name;
  });
}
