import { findPrompt } from '#lib/db/find-prompt.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { noPrompt, savePromptVersion } from '#lib/runs/prompts/save-prompt-version.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { readJson } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';

type Context = { params: Promise<{ name: string }> };

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/prompts/{name}/versions', role: 'viewer' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const { database } = await getWorkshop();
    const prompt = await findPrompt(database, name.value);
    return prompt === null ? noPrompt(name.value) : succeed(prompt);
  });
}

export async function POST(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/prompts/{name}/versions', role: 'editor' });
    const name = await readName(params, 'prompt');
    if (!name.ok) return name;
    const body = await readJson(request);
    return body.ok ? savePromptVersion(await getWorkshop(), actor, name.value, body.value) : body;
  }, 201);
}
