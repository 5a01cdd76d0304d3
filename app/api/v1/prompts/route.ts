import { listPrompts } from '#lib/db/list-prompts.ts';
import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { createPrompt } from '#lib/runs/prompts/create-prompt.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { promptsQuery } from '../queries.ts';
import { readJson } from '../read-body.ts';
import { readQuery } from '../read-query.ts';

export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/prompts', role: 'viewer' });
    const query = readQuery(request, promptsQuery);
    if (!query.ok) return query;
    const { cursor = null, limit, search = null } = query.value;
    const { database } = await getWorkshop();
    return succeed(await listPrompts(database, { search }, { cursor, limit }));
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/prompts', role: 'editor' });
    const body = await readJson(request);
    return body.ok ? createPrompt(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
