import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { testMcpServer } from '#lib/runs/tools/test-mcp-server.ts';
import { authorize } from '#lib/team/authorize.ts';
import { answer } from '../../../answer.ts';
import { refuseBody } from '../../../read-body.ts';
import { readName } from '../../../read-name.ts';

/** Asks the server for its tools and keeps them. One that is of no use is an answer (`ok: false` with a remedy), not an error. */
export async function POST(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/v1/mcp-servers/{name}/test', role: 'owner' });
    const unread = await refuseBody(request);
    if (unread !== null) return unread;
    const name = await readName(params, 'MCP server');
    return name.ok ? testMcpServer(await getWorkshop(), actor, name.value) : name;
  });
}
