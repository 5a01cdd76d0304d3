import { succeed } from '#lib/reflection/problem.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { listMcpServers } from '#lib/runs/tools/list-mcp-servers.ts';
import { saveMcpServer } from '#lib/runs/tools/save-mcp-server.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../answer.ts';
import { readJson } from '../read-body.ts';

/** The list is the whole one, and an owner's: addresses of services may hold what others should not see. */
export async function GET(): Promise<Response> {
  return answer(async () => {
    await authorize({ name: 'GET /api/v1/mcp-servers', role: 'owner' });
    return succeed({ items: await listMcpServers(await getWorkshop()), nextCursor: null });
  });
}

export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/mcp-servers', role: 'owner' });
    const body = await readJson(request);
    return body.ok ? saveMcpServer(await getWorkshop(), actor, body.value) : body;
  }, 201);
}
