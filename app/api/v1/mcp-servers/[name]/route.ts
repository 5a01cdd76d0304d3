import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { deleteMcpServer } from '#lib/runs/tools/delete-mcp-server.ts';
import { updateMcpServer } from '#lib/runs/tools/update-mcp-server.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../answer.ts';
import { readJson, refuseBody } from '../../read-body.ts';
import { readName } from '../../read-name.ts';

type Context = { params: Promise<{ name: string }> };

export async function PATCH(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'PATCH /api/v1/mcp-servers/{name}', role: 'owner' });
    const name = await readName(params, 'MCP server');
    if (!name.ok) return name;
    const body = await readJson(request);
    return body.ok ? updateMcpServer(await getWorkshop(), actor, name.value, body.value) : body;
  });
}

export async function DELETE(request: Request, { params }: Context): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/v1/mcp-servers/{name}', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'MCP server');
    return name.ok ? deleteMcpServer(await getWorkshop(), actor, name.value) : name;
  });
}
